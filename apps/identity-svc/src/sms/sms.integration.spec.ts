import { notificationsToText } from '@holdfast/contracts/events'
import type { Phone } from '@holdfast/contracts/phone'
import { newEvent } from '@holdfast/events/outbox/event'
import { newId } from '@holdfast/kernel/ids'
import { MAX_WEBHOOK_FORM_BYTES, MAX_WEBHOOK_FORM_FIELDS } from '@holdfast/kernel/requests'
import {
  MAX_WRONG_SMS_CODES,
  SMS_CODES_PER_ADDRESS_AND_DAY,
  SMS_CODES_PER_DAY,
  SMS_CODES_PER_NETWORK_AND_DAY,
  SMS_NEWS_PER_DAY,
} from '@holdfast/kernel/sms'
import { STOPPED_ENDING, signatureOf, UNKNOWN_ENDING } from '@holdfast/sandbox/sms/twilio-api'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { BAD_SIGNATURES_PER_ADDRESS } from '@holdfast/service-kit/auth/bad-signatures'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { registry } from '@holdfast/service-kit/telemetry/metrics'
import { publishAs } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { aRegistration, RunningIdentity } from '../../test/running-identity.js'
import type { IdentityConfig } from '../config.js'
import { SmsSender, statusCallbackOf } from './sms-sender.js'

let identity: RunningIdentity
beforeAll(async () => {
  identity = await RunningIdentity.start({ SMS_PREFIXES: '+1,!+1876' })
})
afterAll(() => identity.stop())

let numbers = 0
/** A number that no other test has. */
const aNumber = (ending = '9999') => `+1555${String(++numbers).padStart(3, '0')}${ending}`

async function personWith(number: string | null): Promise<UserActor> {
  const { body } = await identity.signUp(aRegistration())
  await setNumber(body.user.id, number)
  await identity.confirmAddress(body.user.id)
  return userActor(body.user.id)
}
const setNumber = (userId: string, number: string | null) =>
  identity.database.admin.query('UPDATE identity.users SET phone_number = $2 WHERE id = $1', [userId, number])

const phoneOf = async (actor: UserActor) => (await identity.client.request<Phone>('GET', '/api/phone', { actor })).body
let networks = 0
/** Asks from another network each time, unless one is given. */
const askForCode = (actor: UserActor, clientIp = `10.${++networks}.0.1`) =>
  identity.client.request('POST', '/api/phone/code', { actor, clientIp })
const confirm = (actor: UserActor, code: string) =>
  identity.client.request<Phone>('POST', '/api/phone/confirm', { actor, body: { code } })
async function sendDue() {
  const sender = identity.running.app.get(SmsSender)
  for (const { id } of await sender.upcoming(0, 100)) await sender.fire(id)
}
const textsOf = async (actor: UserActor) => {
  const { rows } = await identity.database.admin.query<{ id: string; outcome: string | null; attempts: number }>(
    'SELECT id, outcome, attempts FROM identity.sms WHERE user_id = $1 ORDER BY created_at, id',
    [actor.id],
  )
  return rows
}

/** The code that was texted to a number last. */
async function codeTo(actor: UserActor, number: string): Promise<string> {
  const before = identity.phones.textsTo(number).length
  expect((await askForCode(actor)).status).toBe(204)
  await eventually(async () => {
    await sendDue()
    return identity.phones.textsTo(number).length > before
  })
  return /^\d{6}/.exec(identity.phones.textsTo(number).at(-1)!)![0]
}
async function confirmed(ending?: string) {
  const number = aNumber(ending)
  const actor = await personWith(number)
  const { status, body } = await confirm(actor, await codeTo(actor, number))
  expect([status, body.isConfirmed]).toEqual([200, true])
  return { actor, number }
}

/** The provider answers nothing but errors from before the texts are asked for until they are given up. */
async function inAnOutage(actor: UserActor, texts: number, ask: () => Promise<unknown>) {
  const waiting = async () => (await textsOf(actor)).filter(({ outcome }) => outcome === null)
  identity.phones.fail('error', texts)
  await ask()
  await sendUntil(async () => (await waiting()).filter(({ attempts }) => attempts > 0).length === texts)
  await identity.database.admin.query(
    `UPDATE identity.sms SET due_at = now(), created_at = created_at - interval '61 minutes' WHERE user_id = $1 AND due_at IS NOT NULL`,
    [actor.id],
  )
  await sendUntil(async () => (await waiting()).length === 0)
}
const sendUntil = (condition: () => Promise<boolean>) =>
  eventually(async () => {
    await sendDue()
    return condition()
  })

/** Resolves when identity-svc has handled the event. */
async function notify(actor: UserActor, ...titles: readonly string[]) {
  const facts = { message: 'Private', dealTitle: 'Camera', transactionId: 42, disputeId: 7, type: 'dispute' as const }
  const notifications = titles.map(title => ({ ...facts, title, id: newId(), userId: actor.id }))
  const event = newEvent(notificationsToText, actor.id, { notifications }, new Date())
  await publishAs('messaging-svc', identity.database, event, event)
  const { admin } = identity.database
  await eventually(
    async () => (await admin.query('SELECT FROM identity.inbox WHERE event_id = $1', [event.id])).rowCount === 1,
  )
}
const ended = (actor: UserActor, count: number) =>
  eventually(async () => {
    await sendDue()
    return (await textsOf(actor)).filter(({ outcome }) => outcome !== null).length === count
  })

describe('a phone number', () => {
  test('is confirmed by the code that was texted to it, and only then gets news, once and without private words', async () => {
    const number = aNumber()
    const actor = await personWith(`${number.slice(0, 5)} ${number.slice(5, 8)}-${number.slice(8)}`)
    expect(await phoneOf(actor)).toEqual({ isOffered: true, number, isConfirmed: false, isStopped: false })
    await notify(actor, 'Too early')
    const code = await codeTo(actor, number)
    expect((await confirm(actor, code)).body).toMatchObject({ isConfirmed: true })
    // A code holds once.
    expect((await confirm(actor, code)).status).toBe(400)
    await notify(actor, 'A ruling was made')
    await ended(actor, 2)
    expect(identity.phones.textsTo(number).slice(1)).toEqual([
      'Holdfast: A ruling was made. http://localhost:3000/disputes/7',
    ])
  })

  test('without a country code gets no code, and the refusal names the field', async () => {
    const { status, body } = await askForCode(await personWith('555 0100'))
    expect([status, body]).toMatchObject([
      400,
      { details: { fields: { phoneNumber: expect.stringContaining('country code') } } },
    ])
  })

  test('that is changed in the profile must be confirmed again, and what waits for the old one is not sent', async () => {
    const { actor, number } = await confirmed()
    identity.phones.fail('error')
    await notify(actor, 'For the old number')
    await eventually(async () => {
      await sendDue()
      return (await textsOf(actor)).some(({ outcome, attempts }) => outcome === null && attempts > 0)
    })
    const next = aNumber()
    await setNumber(actor.id, next)
    expect(await phoneOf(actor)).toMatchObject({ number: next, isConfirmed: false })
    await identity.database.admin.query('UPDATE identity.sms SET due_at = now() WHERE due_at IS NOT NULL')
    await ended(actor, 2)
    expect(identity.phones.textsTo(number)).toHaveLength(1)
    await confirm(actor, await codeTo(actor, next))
    expect(await phoneOf(actor)).toMatchObject({ isConfirmed: true })
  })
})

describe('a code', () => {
  test('cannot be guessed: after some wrong ones the right one is refused, too', async () => {
    const number = aNumber()
    const actor = await personWith(number)
    const code = await codeTo(actor, number)
    const wrongFor = (right: string) => (right === '000000' ? '000001' : '000000')
    const wrong = wrongFor(code)
    const answers = await Promise.all(Array.from({ length: MAX_WRONG_SMS_CODES + 3 }, () => confirm(actor, wrong)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]))
    expect((await confirm(actor, code)).status).toBe(400)
    const next = await codeTo(actor, number)
    for (let n = 1; n < MAX_WRONG_SMS_CODES; n++) expect((await confirm(actor, wrongFor(next))).status).toBe(400)
    expect((await confirm(actor, next)).status).toBe(200)
  })

  test('does not hold after its time, and not for another user', async () => {
    const [number, other] = [aNumber(), await personWith(aNumber())]
    const actor = await personWith(number)
    const code = await codeTo(actor, number)
    expect((await confirm(other, code)).status).toBe(400)
    await identity.database.admin.query(
      `UPDATE identity.phone SET code_expires_at = code_expires_at - interval '10 minutes' WHERE user_id = $1`,
      [actor.id],
    )
    expect((await confirm(actor, code)).status).toBe(400)
  })

  test('is in no row of the database', async () => {
    const number = aNumber()
    const actor = await personWith(number)
    const code = await codeTo(actor, number)
    const { rows: texts } = await identity.database.admin.query<{ kept: string }>(
      `SELECT concat_ws(' ', number, title, path, last_error, provider_id) AS kept FROM identity.sms WHERE user_id = $1`,
      [actor.id],
    )
    expect(texts).toEqual([{ kept: expect.stringContaining(number) }])
    expect(texts[0]!.kept.replace(number, '')).not.toContain(code)
    const { rows } = await identity.database.admin.query(
      `SELECT 1 FROM identity.phone t WHERE user_id = $1 AND position($2 IN encode(code_hash, 'escape')) > 0`,
      [actor.id, code],
    )
    expect(rows).toEqual([])
  })

  test('is asked for a few times a day by a user, and for a number, whoever asks', async () => {
    const number = aNumber()
    const actor = await personWith(number)
    for (let n = 0; n < SMS_CODES_PER_DAY; n++) expect((await askForCode(actor)).status).toBe(204)
    expect((await askForCode(actor)).body).toMatchObject({
      ...{ code: 'RATE_LIMITED', details: { retryAfterSeconds: expect.any(Number) } },
    })
    expect((await askForCode(await personWith(number))).body).toMatchObject({ code: 'RATE_LIMITED' })
    const other = await personWith(aNumber())
    const answers = await Promise.all(Array.from({ length: SMS_CODES_PER_DAY + 3 }, () => askForCode(other)))
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(SMS_CODES_PER_DAY)
    await ended(actor, SMS_CODES_PER_DAY)
    await identity.database.admin.query(
      `UPDATE identity.sms SET created_at = created_at - interval '1 day' WHERE user_id = $1`,
      [actor.id],
    )
    expect((await askForCode(actor)).status).toBe(204)
    await ended(actor, SMS_CODES_PER_DAY + 1)
  })

  test('is not used up by an outage of the provider, and neither are the news of a day', async () => {
    const number = aNumber()
    const actor = await personWith(number)
    for (let n = 0; n <= SMS_CODES_PER_DAY; n++)
      await inAnOutage(actor, 1, async () => expect((await askForCode(actor)).status).toBe(204))
    await confirm(actor, await codeTo(actor, number))
    const lost = Array.from({ length: SMS_NEWS_PER_DAY }, (_, n) => `Lost ${n}`)
    await inAnOutage(actor, lost.length, () => notify(actor, ...lost))
    await notify(actor, 'After the outage')
    await sendUntil(async () => identity.phones.textsTo(number).some(text => text.includes('After the outage')))
  })

  test('needs a confirmed e-mail address', async () => {
    const actor = await personWith(aNumber())
    await identity.confirmAddress(actor.id, false)
    expect(await askForCode(actor)).toMatchObject({ status: 403, body: { code: 'EMAIL_NOT_CONFIRMED' } })
    expect(await textsOf(actor)).toEqual([])
  })

  test.each(['+18765550100', '+447700900123'])('is not sent to %s, in a country without our users', async number => {
    const actor = await personWith(number)
    const refused = { details: { fields: { phoneNumber: expect.stringContaining('this country') } } }
    expect(await askForCode(actor)).toMatchObject({ status: 400, body: refused })
    // Neither are news, when the country is taken off the list later.
    await identity.database.admin.query(
      'INSERT INTO identity.phone (user_id, number, confirmed_at) VALUES ($1, $2, now())',
      [actor.id, number],
    )
    await notify(actor, 'News')
    await ended(actor, 1)
    expect(await textsOf(actor)).toMatchObject([{ outcome: 'not_needed' }])
  })

  test('is asked for a few times a day from one address and from one network, whoever asks', async () => {
    const ask = async (clientIp: string) => {
      const { status, body } = await askForCode(await personWith(aNumber()), clientIp)
      return status === 204 ? 204 : (body as { code?: string }).code
    }
    for (let n = 0; n < SMS_CODES_PER_ADDRESS_AND_DAY; n++) expect(await ask('203.0.113.1')).toBe(204)
    expect(await ask('203.0.113.1')).toBe('RATE_LIMITED')
    for (let n = SMS_CODES_PER_ADDRESS_AND_DAY; n < SMS_CODES_PER_NETWORK_AND_DAY; n++)
      expect(await ask(`203.0.113.${n}`)).toBe(204)
    expect(await ask('203.0.113.250')).toBe('RATE_LIMITED')
  })

  test('leaves no number in the table of attempts', async () => {
    const number = aNumber()
    await codeTo(await personWith(number), number)
    const { rows } = await identity.database.admin.query('SELECT * FROM identity.attempts')
    expect(JSON.stringify(rows)).not.toContain(number.slice(1))
  })

  test('is refused for a number that nobody has', async () => {
    const actor = await personWith(aNumber(UNKNOWN_ENDING))
    await askForCode(actor)
    await ended(actor, 1)
    expect(await textsOf(actor)).toMatchObject([{ outcome: 'refused' }])
  })
})

describe('a text', () => {
  test.each(['error', 'rate_limit'] as const)('that fails with %s is sent again later', async fault => {
    const { actor, number } = await confirmed()
    identity.phones.fail(fault)
    await notify(actor, 'Your turn')
    await eventually(async () => {
      await sendDue()
      return (await textsOf(actor)).some(({ outcome, attempts }) => outcome === null && attempts === 1)
    })
    await identity.database.admin.query('UPDATE identity.sms SET due_at = now() WHERE due_at IS NOT NULL')
    await ended(actor, 2)
    expect(identity.phones.textsTo(number)).toHaveLength(2)
  })

  test('to a person who has answered STOP ends texts to them, until they confirm again', async () => {
    const { actor, number } = await confirmed()
    const stopped = `${number.slice(0, -4)}${STOPPED_ENDING}`
    await setNumber(actor.id, stopped)
    await identity.database.admin.query('UPDATE identity.phone SET number = $2 WHERE user_id = $1', [actor.id, stopped])
    await notify(actor, 'One')
    await ended(actor, 2)
    expect(await phoneOf(actor)).toMatchObject({ isConfirmed: true, isStopped: true })
    await notify(actor, 'Two')
    await sendDue()
    expect(await textsOf(actor)).toHaveLength(2)
  })

  test('is one of as many as all users together may cost in a day', async () => {
    const { actor, number } = await confirmed()
    await identity.countAs('sms-all:news', identity.running.app.get<IdentityConfig>(CONFIG).SMS_PER_DAY - 1)
    await notify(actor, 'The last one', 'One too many')
    await ended(actor, 3)
    expect((await textsOf(actor)).map(({ outcome }) => outcome).sort()).toEqual(['not_needed', 'sent', 'sent'])
    expect(identity.phones.textsTo(number)).toHaveLength(2)
    await identity.countAs('sms-all:news', 0)
  })

  test('is one of at most some a day', async () => {
    const { actor, number } = await confirmed()
    await notify(actor, ...Array.from({ length: SMS_NEWS_PER_DAY + 2 }, (_, n) => `News ${n}`))
    await ended(actor, SMS_NEWS_PER_DAY + 3)
    expect(identity.phones.textsTo(number)).toHaveLength(SMS_NEWS_PER_DAY + 1)
  })
})

describe('a report of the provider', () => {
  const report = (id: string, fields: Record<string, string>, signature?: string, clientIp = '192.0.2.1') => {
    const body = new URLSearchParams(fields)
    const url = statusCallbackOf('http://localhost:3000', id)
    return identity.client.request('POST', `/api/webhooks/twilio?sms=${id}`, {
      body: body.toString(),
      clientIp,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': signature ?? signatureOf(url, fields, identity.phones.token),
      },
    })
  }

  test('says what became of a text; a late one and a second one change nothing', async () => {
    const { actor, number } = await confirmed()
    const { id } = (await textsOf(actor))[0]!
    expect((await report(id, { MessageStatus: 'sent' })).status).toBe(200)
    expect(await textsOf(actor)).toMatchObject([{ outcome: 'sent' }])
    expect((await report(id, { MessageStatus: 'undelivered', ErrorCode: '21610' })).status).toBe(200)
    expect((await report(id, { MessageStatus: 'delivered' })).status).toBe(200)
    expect(await textsOf(actor)).toMatchObject([{ outcome: 'undelivered' }])
    expect(await phoneOf(actor)).toMatchObject({ isStopped: true })
    expect((await report(newId(), { MessageStatus: 'delivered' })).status).toBe(200)
    // Whoever confirms the number again wants texts again.
    await confirm(actor, await codeTo(actor, number))
    expect(await phoneOf(actor)).toMatchObject({ isStopped: false })
  })

  test('is refused unread when it has more fields than any report, or is larger', async () => {
    const send = (body: string) => identity.client.request('POST', `/api/webhooks/twilio?sms=${newId()}`, { body })
    expect((await send('a&'.repeat(MAX_WEBHOOK_FORM_FIELDS))).status).toBe(413)
    expect((await send('a'.repeat(MAX_WEBHOOK_FORM_BYTES + 1))).status).toBe(413)
    expect((await send('a&'.repeat(MAX_WEBHOOK_FORM_FIELDS - 1))).status).toBe(400)
  })

  test('is refused as soon as its address has sent too many with a bad signature; a signed one never', async () => {
    const clientIp = '192.0.2.66'
    const forge = () => report(newId(), { MessageStatus: 'sent' }, 'forged', clientIp)
    for (let i = 0; i < BAD_SIGNATURES_PER_ADDRESS.attempts; i++) await forge()
    expect((await forge()).status).toBe(429)
    expect((await report(newId(), { MessageStatus: 'sent' }, undefined, clientIp)).status).toBe(200)
  })

  test('is counted once, by how the text has ended', async () => {
    const counted = async () => {
      const { values } = await registry.getSingleMetric('sms_total')!.get()
      const of = (outcome: string) =>
        values.find(({ labels }) => labels.kind === 'code' && labels.outcome === outcome)?.value ?? 0
      return [of('delivered'), of('undelivered')]
    }
    const [lost, arrived] = [await confirmed(), await confirmed()]
    const [delivered, undelivered] = await counted()
    for (const status of ['sent', 'undelivered', 'undelivered', 'delivered'])
      await report((await textsOf(lost.actor))[0]!.id, { MessageStatus: status, ErrorCode: '30034' })
    await report((await textsOf(arrived.actor))[0]!.id, { MessageStatus: 'delivered' })
    expect(await counted()).toEqual([delivered! + 1, undelivered! + 1])
  })

  test('counts only with the signature for this text and these fields', async () => {
    const { actor } = await confirmed()
    const { id } = (await textsOf(actor))[0]!
    const fields = { MessageStatus: 'undelivered', ErrorCode: '21610' }
    const url = statusCallbackOf('http://localhost:3000', newId())
    const others = { MessageStatus: 'delivered' }
    const stolen = [
      signatureOf(url, fields, identity.phones.token),
      signatureOf(statusCallbackOf('http://localhost:3000', id), others, identity.phones.token),
    ]
    for (const signature of ['', 'AAAA', ...stolen])
      expect((await report(id, fields, signature)).body).toMatchObject({ code: 'WEBHOOK_SIGNATURE_INVALID' })
    expect(await phoneOf(actor)).toMatchObject({ isStopped: false })
  })
})
