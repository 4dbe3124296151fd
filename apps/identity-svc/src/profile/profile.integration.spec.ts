import type { CurrentUser } from '@holdfast/contracts/users'
import { ERROR_MESSAGES } from '@holdfast/kernel/errors'
import { RESERVED_NAME, RESERVED_USERNAME } from '@holdfast/names/names'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { FactorPerson } from '../../test/factor-person.js'
import { aRegistration, RunningIdentity } from '../../test/running-identity.js'
import { EMAIL_CHANGES_PER_RECIPIENT, EMAIL_CHANGES_PER_USER } from '../credentials/email-change.service.js'
import { PASSWORD_CHANGES_PER_USER, PROFILE_CHANGES_PER_USER } from './profile.service.js'

const NEW_PASSWORD = 'quite another long sentence'
let addresses = 0
const anAddress = () => `198.51.100.${++addresses}`

let identity: RunningIdentity
beforeAll(async () => {
  identity = await RunningIdentity.start()
})
afterAll(() => identity.stop())

async function aPerson() {
  const body = aRegistration()
  const { id } = (await identity.signUp(body, anAddress())).body.user
  const { rows } = await identity.database.admin.query('SELECT id FROM identity.sessions WHERE user_id = $1', [id])
  return { ...body, id, actor: { ...userActor(id), sessionId: rows[0].id as string } }
}
type Person = Awaited<ReturnType<typeof aPerson>>

const profileOf = ({ firstName, lastName, email, username }: Person) => ({
  firstName,
  lastName,
  email,
  username,
  phoneNumber: null,
})
const change = (person: Person, more: object) =>
  identity.client.request<CurrentUser & { code: string; details: { fields: object } }>('PUT', '/api/profile', {
    actor: person.actor,
    body: { ...profileOf(person), ...more },
    clientIp: anAddress(),
  })
const changePassword = (person: Person, body: object) =>
  identity.client.request('POST', '/api/auth/password', { actor: person.actor, body, clientIp: anAddress() })
const confirm = ({ actor }: Person, token: string) =>
  identity.client.request('POST', '/api/auth/verify-email', { actor, body: { token }, clientIp: anAddress() })
const mailAbout = (subject: string, email: string) =>
  eventually(async () => (await identity.mailsTo(email)).find(mail => mail.subject === subject))
const tokenIn = (text: string) => /#([\w-]{43})/.exec(text)![1]!
const current = async (person: Person) =>
  (await identity.client.request<CurrentUser>('GET', '/api/auth/user', { actor: person.actor })).body

describe('personal data', () => {
  test('are changed at once and published, but for the e-mail address', async () => {
    const person = await aPerson()
    const facts = {
      firstName: 'Anna',
      lastName: 'Silva Santos',
      username: `anna.${person.username}`,
      phoneNumber: '+351 91 000',
    }
    expect(await change(person, facts)).toMatchObject({ status: 200, body: { ...facts, email: person.email } })
    expect(await current(person)).toMatchObject(facts)
    await eventually(async () => {
      const { rows } = await identity.database.admin.query(
        `SELECT 1 FROM events.log WHERE type = 'identity.user.updated.v1' AND key = $1 AND payload::jsonb -> 'user' ->> 'lastName' = 'Silva Santos'`,
        [person.id],
      )
      return rows.length === 1
    })
  })

  test.each([
    ['firstName', ' ', 'Required'],
    ['firstName', 'Holdfast', RESERVED_NAME],
    ['username', 'a', /^3 to 30/],
    ['username', 'support', RESERVED_USERNAME],
    ['email', 'x', 'Invalid email address'],
    ['phoneNumber', 'call me', 'Digits, spaces, + - ( ) only'],
  ])('with %s %j are refused, and the field is named', async (field, value, message) => {
    const expected = message instanceof RegExp ? expect.stringMatching(message) : message
    expect(await change(await aPerson(), { [field]: value })).toMatchObject({
      status: 400,
      body: { details: { fields: { [field]: expected } } },
    })
  })

  test('that another tab has saved meanwhile stay: only what was changed here is written', async () => {
    const person = await aPerson()
    await change(person, { phoneNumber: '+1 555 0100', changed: ['phoneNumber'] })
    const late = await change(person, { firstName: 'Anna', email: `other.${person.email}`, changed: ['firstName'] })
    expect(late).toMatchObject({ status: 200, body: { firstName: 'Anna', phoneNumber: '+1 555 0100' } })
    expect((await change(person, { phoneNumber: null })).body).toMatchObject({ firstName: 'Ana', phoneNumber: null })
  })

  test('with the username of somebody else, or one that looks like it, are refused, and nothing is changed', async () => {
    const [person, other] = [await aPerson(), await aPerson()]
    for (const username of [other.username.toUpperCase(), other.username.replace('o', '0')])
      expect(await change(person, { firstName: 'Eve', username })).toMatchObject({
        status: 409,
        body: { code: 'USERNAME_TAKEN', details: { fields: { username: ERROR_MESSAGES.USERNAME_TAKEN } } },
      })
    expect(await current(person)).toMatchObject({ firstName: person.firstName })
  })

  test('are changed so many times an hour', async () => {
    const person = await aPerson()
    const spent = [`profile-changes:${person.id}`, PROFILE_CHANGES_PER_USER.attempts]
    expect((await change(person, {})).status).toBe(200)
    await identity.database.admin.query('UPDATE identity.attempts SET points = $2 WHERE key = $1', spent)
    expect(await change(person, {})).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
  })

  test('keep the name while documents are reviewed and when they are approved, and the rest can be changed', async () => {
    const person = await aPerson()
    const setStatus = (status: string) =>
      identity.database.admin.query('UPDATE identity.users SET verification_status = $2 WHERE id = $1', [
        person.id,
        status,
      ])
    for (const [status, why] of [
      ['submitted', 'reviewed under this name'],
      ['approved', 'verified under this name'],
    ] as const) {
      await setStatus(status)
      expect(await change(person, { lastName: 'Other' })).toMatchObject({
        status: 400,
        body: { details: { fields: { lastName: expect.stringContaining(why) } } },
      })
      expect((await change(person, { phoneNumber: '555 0100' })).status).toBe(200)
    }
    await setStatus('rejected')
    expect((await change(person, { lastName: 'Other' })).status).toBe(200)
  })
})

describe('another e-mail address', () => {
  const ask = (person: Person, email: string) => change(person, { email, currentPassword: person.password })

  test('needs the password', async () => {
    const person = await aPerson()
    for (const [currentPassword, message] of [
      [undefined, 'Enter your password'],
      ['not this one', 'This is not your password'],
    ])
      expect(await change(person, { email: `new.${person.email}`, currentPassword })).toMatchObject({
        status: 400,
        body: { details: { fields: { currentPassword: message } } },
      })
  })

  test.each([
    ['Another address', (person: Person) => ask(person, `new.${person.email}`)],
    [
      'Another password',
      (person: Person) => changePassword(person, { currentPassword: person.password, newPassword: NEW_PASSWORD }),
    ],
  ])('%s needs the second factor, too, of who has one, shown a short time ago', async (_, act) => {
    const browser = await FactorPerson.signUp(identity)
    await browser.addApp()
    const actor = (await browser.findActor())!
    const person = { ...browser.registration, id: actor.id, actor: { ...actor, sessionId: actor.sessionId! } }
    const age = `UPDATE identity.sessions SET second_factor_at = now() - interval '11 minutes' WHERE id = $1`
    await identity.database.admin.query(age, [actor.sessionId])
    expect(await act(person)).toMatchObject({
      status: 403,
      body: { code: 'CONFIRMATION_REQUIRED', details: { methods: ['authenticator', 'recovery_code'] } },
    })
    expect((await browser.call('POST', 'confirm', { code: browser.codeAt(0) })).status).toBe(204)
    expect((await act(person)).status).toBeLessThan(300)
  })

  test('becomes the user’s with the mailed link; the old one is told, and no link to it opens the account', async () => {
    const person = await aPerson()
    const email = `new.${person.email}`
    await identity.client.request('POST', '/api/auth/reset', { body: { email: person.email }, clientIp: anAddress() })
    const reset = tokenIn((await mailAbout('Set a new password', person.email)).text)
    expect(await ask(person, email)).toMatchObject({ status: 200, body: { email: person.email } })
    const token = tokenIn((await mailAbout('Confirm your new e-mail address', email)).text)
    expect((await identity.signIn(person.email, person.password, anAddress())).status).toBe(200)
    expect((await confirm(person, token)).status).toBe(204)
    expect(await current(person)).toMatchObject({ email, emailConfirmed: true })
    await mailAbout('Your e-mail address was changed', person.email)
    expect((await identity.signIn(email, person.password, anAddress())).status).toBe(200)
    expect((await identity.signIn(person.email, person.password, anAddress())).status).toBe(401)
    const late = await identity.client.request('POST', '/api/auth/reset/confirm', {
      body: { token: reset, password: NEW_PASSWORD },
      clientIp: anAddress(),
    })
    expect([late.status, (await confirm(person, token)).status]).toEqual([410, 410])
  })

  test.each(['an operator ends the sessions', 'a first second factor is added'])(
    'is not given any more after %s, also when the mail is not sent yet',
    async how => {
      const browser = await FactorPerson.signUp(identity)
      const actor = (await browser.findActor())!
      const person = { ...browser.registration, id: actor.id, actor: { ...actor, sessionId: actor.sessionId! } }
      const [mailed, waiting] = [`mailed.${person.email}`, `waiting.${person.email}`]
      await ask(person, mailed)
      const token = tokenIn((await mailAbout('Confirm your new e-mail address', mailed)).text)
      await identity.database.admin.query(
        `INSERT INTO identity.mail (id, kind, recipient, data, due_at)
         SELECT gen_random_uuid(), kind, $2, data, now() + interval '1 hour' FROM identity.mail WHERE recipient = $1`,
        [mailed, waiting],
      )
      if (how.startsWith('an operator')) {
        const admin = { ...userActor(), role: 'admin' as const }
        const path = `/api/admin/users/${person.id}/end-sessions`
        const ended = await identity.client.request('POST', path, { actor: admin, body: { reason: 'A thief' } })
        expect(ended.status).toBe(200)
      } else {
        await browser.addPasskey()
      }
      expect(await confirm(person, token)).toMatchObject({ status: 410 })
      await identity.database.admin.query('UPDATE identity.mail SET due_at = now() WHERE recipient = $1', [waiting])
      await identity.sweepMails()
      const mail = await identity.database.admin.query('SELECT outcome FROM identity.mail WHERE recipient = $1', [
        waiting,
      ])
      expect(mail.rows).toEqual([{ outcome: 'not_needed' }])
      expect(await current(person)).toMatchObject({ email: person.email })
    },
  )

  test('that is taken is refused, also when it is taken between the request and the link', async () => {
    const [person, other] = [await aPerson(), await aPerson()]
    expect(await ask(person, other.email.toUpperCase())).toMatchObject({ status: 409, body: { code: 'EMAIL_TAKEN' } })
    const email = `late.${person.email}`
    await ask(person, email)
    const token = tokenIn((await mailAbout('Confirm your new e-mail address', email)).text)
    await identity.signUp({ email }, anAddress())
    expect(await confirm(person, token)).toMatchObject({ status: 409, body: { code: 'EMAIL_TAKEN' } })
    expect(await current(person)).toMatchObject({ email: person.email })
  })

  test('has a limit of requests per hour for a user and for one address, also when the address is taken', async () => {
    const [person, taken] = [await aPerson(), await aPerson()]
    for (let n = 0; n < EMAIL_CHANGES_PER_USER.attempts; n++) expect((await ask(person, taken.email)).status).toBe(409)
    expect(await ask(person, `not.${taken.email}`)).toMatchObject({
      status: 429,
      body: { details: { retryAfterSeconds: expect.any(Number) } },
    })
    const statuses = []
    for (let n = 0; n <= EMAIL_CHANGES_PER_RECIPIENT.attempts; n++)
      statuses.push((await ask(await aPerson(), `Victim+${n}@example.com`)).status)
    expect(statuses).toEqual([...Array(EMAIL_CHANGES_PER_RECIPIENT.attempts).fill(200), 429])
  })
})

describe('another password', () => {
  test('needs the present one, ends every other session and no more, and is told by mail', async () => {
    const person = await aPerson()
    await identity.signIn(person.email, person.password, anAddress())
    expect(await changePassword(person, { currentPassword: 'not this one', newPassword: NEW_PASSWORD })).toMatchObject({
      status: 400,
      body: { details: { fields: { currentPassword: 'This is not your password' } } },
    })
    expect(await changePassword(person, { currentPassword: person.password, newPassword: 'password' })).toMatchObject({
      status: 400,
      body: { details: { fields: { newPassword: expect.any(String) } } },
    })
    expect((await changePassword(person, { currentPassword: person.password, newPassword: NEW_PASSWORD })).status).toBe(
      204,
    )
    const { rows } = await identity.database.admin.query(
      'SELECT id FROM identity.sessions WHERE user_id = $1 AND revoked_at IS NULL',
      [person.id],
    )
    expect(rows).toEqual([{ id: person.actor.sessionId }])
    expect((await identity.signIn(person.email, person.password, anAddress())).status).toBe(401)
    expect((await identity.signIn(person.email, NEW_PASSWORD, anAddress())).status).toBe(200)
    await mailAbout('Your password was changed', person.email)
  })

  test('has a limit of changes per hour, because each change is mailed', async () => {
    const person = await aPerson()
    const answers = []
    for (let n = 0; n <= PASSWORD_CHANGES_PER_USER.attempts; n++)
      answers.push(
        (await changePassword(person, { currentPassword: person.password, newPassword: person.password })).status,
      )
    expect([new Set(answers.slice(0, -1)), answers.at(-1)]).toEqual([new Set([204]), 429])
  })

  test('cannot be guessed through this route: it counts as a sign-in', async () => {
    const person = await aPerson()
    const guess = () =>
      identity.client.request('POST', '/api/auth/password', {
        actor: person.actor,
        body: { currentPassword: 'not this one', newPassword: NEW_PASSWORD },
        clientIp: '203.0.113.77',
      })
    const answers = []
    for (let n = 0; n < 12; n++) answers.push((await guess()).status)
    expect([answers[0], answers.at(-1)]).toEqual([400, 429])
  })
})

test('a visitor changes nothing', async () => {
  for (const [method, path] of [
    ['PUT', '/api/profile'],
    ['POST', '/api/auth/password'],
  ] as const)
    expect((await identity.client.request(method, path, { body: {}, actor: null })).status).toBe(401)
})
