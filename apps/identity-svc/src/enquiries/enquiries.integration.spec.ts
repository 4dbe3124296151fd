import type { Enquiry } from '@holdfast/contracts/enquiries'
import { newId } from '@holdfast/kernel/ids'
import { POOL_SIZE } from '@holdfast/service-kit/database/connection-limits'
import { userActor } from '@holdfast/testing/signed-client'
import { RunningIdentity } from '../../test/running-identity.js'
import { ENQUIRIES_PER_ADDRESS, ENQUIRIES_PER_RECIPIENT } from './enquiries.service.js'

const admin = { ...userActor(), role: 'admin' as const }
let addresses = 0
let identity: RunningIdentity
beforeAll(async () => {
  identity = await RunningIdentity.start()
})
afterAll(() => identity.stop())

const TICKET = {
  name: 'Ann Other',
  email: 'ann@example.org',
  category: 'billing',
  subject: 'The fee',
  message: 'Why is it <b>2 %</b>?',
}
const ENQUIRY = {
  firstName: 'Bo',
  lastName: 'Lund',
  email: 'bo@example.org',
  company: 'Lund & Co',
  jobTitle: 'CFO',
  companySize: '50-99',
  monthlyVolume: '$1M-$5M',
  message: 'We sell boats, many boats.',
}
const post = (path: string, body: object, actor: ReturnType<typeof userActor> | null = null) =>
  identity.client.request<Enquiry & { code: string; details: unknown }>('POST', path, {
    body,
    actor,
    clientIp: `198.51.100.${++addresses}`,
  })
let people = 0
const open = (more: object = {}) =>
  post('/api/support/tickets', { ...TICKET, email: `person${++people}@example.org`, ...more })
const list = async (query = '') =>
  (await identity.client.request<Enquiry[]>('GET', `/api/admin/enquiries${query}`, { actor: admin })).body
const one = async (number: number) => (await list(`?q=${number}`))[0]!

describe('a support ticket', () => {
  test('is kept, mailed to the team, and its number is mailed to the person without a word that was typed', async () => {
    const writer = userActor()
    const { status, body } = await post('/api/support/tickets', TICKET, writer)
    expect([status, body.number]).toEqual([201, expect.any(Number)])
    expect(await one(body.number)).toMatchObject({
      ...{ kind: 'support', state: 'open', name: 'Ann Other', email: 'ann@example.org', userId: writer.id },
      ...{ subject: 'The fee', message: 'Why is it <b>2 %</b>?', facts: { Category: 'billing' }, answer: null },
    })
    const [mail] = await identity.mailsTo('support@holdfast.example')
    expect(mail).toMatchObject({ subject: `No. ${body.number}: The fee` })
    expect(mail!.text).toContain('“Ann Other” has written from “ann@ example. org”:\n\n“Why is it <b>2 %</b>?”')
    const [receipt] = await identity.mailsTo('ann@example.org')
    expect(receipt).toMatchObject({ subject: `We have your message, no. ${body.number}` })
    for (const typed of ['Ann', 'fee', '2 %']) expect(receipt!.text).not.toContain(typed)
  })

  test.each([
    ['name', ' ', 'Enter your name'],
    ['email', 'ann', 'Invalid email address'],
    ['category', 'gossip', 'Choose a category'],
    ['subject', '', 'Enter a subject'],
    ['message', ' \n ', 'Enter your message'],
  ])('with a wrong %s is refused, and the field is named', async (field, value, message) => {
    expect(await open({ [field]: value })).toMatchObject({
      status: 400,
      body: { details: { fields: { [field]: message } } },
    })
  })

  test('is refused after many from one address, and the answer says how long to wait', async () => {
    const ask = () => {
      const body = { ...TICKET, email: `person${++people}@example.org` }
      return identity.client.request('POST', '/api/support/tickets', { body, clientIp: '203.0.113.9' })
    }
    for (let n = 0; n < ENQUIRIES_PER_ADDRESS.attempts; n++) expect((await ask()).status).toBe(201)
    expect(await ask()).toMatchObject({ status: 429, body: { details: { retryAfterSeconds: expect.any(Number) } } })
  })
})

test('nobody gets more than a few mails because others type their address', async () => {
  const ask = () => open({ email: 'Victim@example.org' })
  for (let n = 0; n < ENQUIRIES_PER_RECIPIENT.attempts; n++) expect((await ask()).status).toBe(201)
  expect((await ask()).status).toBe(429)
})

describe('the enquiry of a company', () => {
  test('is kept with what the form asked, and mailed to sales', async () => {
    const { body } = await post('/api/enterprise-contact', { ...ENQUIRY, phone: '+46 1' })
    expect(await one(body.number)).toMatchObject({
      kind: 'enterprise',
      name: 'Bo Lund',
      subject: 'Lund & Co',
      facts: {
        ...{ Company: 'Lund & Co', 'Job title': 'CFO', 'Company size': '50-99 employees' },
        ...{ 'Monthly volume': '$1M-$5M', Phone: '+46 1' },
      },
    })
    expect((await identity.mailsTo('sales@holdfast.example'))[0]!.text).toContain('Company size: 50-99 employees')
  })

  test.each([
    ['firstName', 'First name is required'],
    ['lastName', 'Last name is required'],
    ['email', 'Invalid email address'],
    ['company', 'Company name is required'],
    ['jobTitle', 'Job title is required'],
    ['companySize', 'Please select company size'],
    ['monthlyVolume', 'Please select monthly transaction volume'],
    ['message', 'Please provide more details about your requirements'],
  ])('without %s is refused in the words of the form', async (field, message) => {
    for (const value of [undefined, field === 'message' ? 'too short' : ''])
      expect(await post('/api/enterprise-contact', { ...ENQUIRY, [field]: value })).toMatchObject({
        status: 400,
        body: { details: { fields: { [field]: message } } },
      })
  })
})

describe('an operator', () => {
  const answer = (id: string, text = 'It is the fee of the card.') =>
    post(`/api/admin/enquiries/${id}/answer`, { text }, admin)

  test('answers by mail, once, also when two answer at the same moment', async () => {
    const { id } = await one((await open({ email: 'once@example.org' })).body.number)
    const answers = await Promise.all([answer(id), answer(id), answer(id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const mails = await identity.mailsTo('once@example.org', 2)
    expect(mails.filter(({ subject }) => subject.startsWith('Answer to no.'))).toHaveLength(1)
    expect(mails.find(({ subject }) => subject.startsWith('Answer'))!.text).toContain('It is the fee of the card.')
    expect((await list('?state=answered&q=once'))[0]).toMatchObject({ id, answer: { by: admin.id } })
    expect(await post(`/api/admin/enquiries/${id}/close`, {}, admin)).toMatchObject({
      status: 200,
      body: { state: 'closed' },
    })
  })

  test('closes one without an answer, and then cannot answer it', async () => {
    const { id } = await one((await open()).body.number)
    expect(await post(`/api/admin/enquiries/${id}/close`, {}, admin)).toMatchObject({
      body: { state: 'closed', answer: null },
    })
    expect(await answer(id)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    // A refusal needs one connection. With a second one, so many at once would wait for each other.
    const refusals = await Promise.all(Array.from({ length: 3 * POOL_SIZE }, () => answer(id)))
    expect(refusals.filter(({ status }) => status !== 409)).toEqual([])
  })

  test('pages through them, newest first, and gets 404 for one that does not exist', async () => {
    for (let n = 0; n < 3; n++) await open({ email: 'many@example.org' })
    const all = await list('?q=many@example.org')
    const [first, second] = [
      await list('?q=many@example.org&limit=2'),
      await list(`?q=many@example.org&before=${all[1]!.id}`),
    ]
    expect([...first, ...second].map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    expect(all.map(({ number }) => number)).toEqual(all.map(({ number }) => number).sort((a, b) => b - a))
    expect(await answer(newId())).toMatchObject({ status: 404 })
    expect(await post(`/api/admin/enquiries/${newId()}/close`, {}, admin)).toMatchObject({ status: 404 })
  })

  test('is needed: a user and a visitor find nothing', async () => {
    const { id } = await one((await open()).body.number)
    for (const actor of [userActor(), null]) {
      expect((await identity.client.request('GET', '/api/admin/enquiries', { actor })).status).toBe(404)
      for (const act of ['answer', 'close'])
        expect((await post(`/api/admin/enquiries/${id}/${act}`, { text: 'x' }, actor)).status).toBe(404)
    }
  })
})
