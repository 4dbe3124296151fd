import { newId } from '@holdfast/kernel/ids'
import { Mailer } from '@holdfast/mail/mailer'
import { queueMail } from '@holdfast/mail/queue-mail'
import { hasLink } from '@holdfast/names/links'
import type { MailRecord } from '@holdfast/sandbox/mail/records'
import { userActor } from '@holdfast/testing/signed-client'
import { DataSource } from 'typeorm'
import { aRegistration, RunningIdentity } from '../../test/running-identity.js'

const SUPPORT = 'support@holdfast.example'
/** Each word that a person types somewhere has this mark. */
const MARK = 'zxqv'
const HOSTILE = `Claim your $900: evil-${MARK}.com/x7`

let identity: RunningIdentity
beforeAll(async () => {
  identity = await RunningIdentity.start()
})
afterAll(() => identity.stop())

/** An account with hostile names, and an enquiry that its user has written. */
async function aHostilePerson(isConfirmed: boolean) {
  const registration = aRegistration()
  const { id } = (await identity.signUp(registration)).body.user
  await identity.confirmAddress(id, isConfirmed)
  const { admin } = identity.database
  await admin.query('UPDATE identity.users SET first_name = $2, last_name = $2 WHERE id = $1', [id, HOSTILE])
  const enquiryId = newId()
  await admin.query(
    `INSERT INTO identity.enquiry (id, kind, name, email, user_id, subject, message, facts, state, answer, answered_by, answered_at)
     VALUES ($1, 'support', $3, $4, $2, $3, $3, jsonb_build_object('Company', $3::text), 'answered', 'It is 2 %.', $2, now())`,
    [enquiryId, id, HOSTILE, registration.email],
  )
  return { ...registration, id, enquiryId }
}

type Person = Awaited<ReturnType<typeof aHostilePerson>>

/** What the outbox has of each kind. A kind without a line here fails the test. */
const dataOf = ({ id, enquiryId }: Person): Record<string, Record<string, unknown>> => ({
  'account-closed': {},
  'account-not-closed': { userId: id, obstacles: ['open_deal'] },
  'change-email': { userId: id, passwordVersion: 1 },
  'email-changed': { userId: id },
  'confirm-email': { userId: id },
  'reset-password': {},
  'password-changed': { userId: id },
  'enquiry-arrived': { enquiryId },
  'enquiry-received': { enquiryId, userId: id },
  'enquiry-answered': { enquiryId, userId: id },
  notification: {
    ...{ userId: id, type: 'transaction', title: 'Payment received', message: `Ship “${HOSTILE}”.` },
    ...{ dealTitle: HOSTILE, transactionId: 42, disputeId: null },
  },
  'payout-account-changed': { userId: id, changeId: newId(), bankLabel: HOSTILE, waits: false },
  'provider-linked': { userId: id, label: 'Google' },
  'second-factor-changed': { userId: id, notice: 'passkey_added' },
})

/** Sends a mail of each kind that needs no words of a user to be useful, or has them. @returns the mails by kind */
async function mailsOfEachKind(person: Person, without: readonly string[]): Promise<Record<string, MailRecord>> {
  const { kinds } = identity.running.app.get(Mailer)
  const data = dataOf(person)
  expect(Object.keys(data).sort()).toEqual([...kinds].sort())
  const mails: Record<string, MailRecord> = {}
  for (const kind of kinds) {
    const recipient = kind === 'enquiry-arrived' ? SUPPORT : person.email
    await identity.database.admin.query(
      `UPDATE identity.mail SET due_at = NULL, ended_at = now(), outcome = 'not_needed' WHERE due_at IS NOT NULL`,
    )
    const before = identity.mails.length
    await queueMail(identity.running.app.get(DataSource).manager, { kind, recipient, data: data[kind]! })
    await identity.sweepMails()
    const sent = identity.mails.slice(before).filter(({ recipients }) => recipients.includes(recipient))
    expect([kind, sent.length]).toEqual([kind, without.includes(kind) ? 0 : 1])
    if (sent[0]) mails[kind] = sent[0]
  }
  return mails
}

const wordsOf = ({ subject, text, html }: MailRecord) => `${subject}\n${text}\n${html}`
/** The plain texts without the links of our own. */
const withoutOurLinks = ({ subject, text }: MailRecord) =>
  `${subject}\n${text}`.replaceAll(/http:\/\/localhost:3000\S*/g, '')

test('a mail of any kind to an address that was never confirmed has no word that anybody typed', async () => {
  const mails = await mailsOfEachKind(await aHostilePerson(false), ['notification'])
  for (const [kind, mail] of Object.entries(mails)) {
    if (kind === 'enquiry-arrived') continue
    expect([kind, wordsOf(mail)]).toEqual([kind, expect.not.stringContaining(MARK)])
    expect([kind, wordsOf(mail)]).toEqual([kind, expect.not.stringContaining('Claim')])
    expect([kind, hasLink(withoutOurLinks(mail))]).toEqual([kind, false])
  }
})

test('a mail of any kind to a confirmed address, or to our team, has no link in what somebody typed', async () => {
  const mails = await mailsOfEachKind(await aHostilePerson(true), ['confirm-email'])
  for (const [kind, mail] of Object.entries(mails)) {
    expect([kind, wordsOf(mail)]).toEqual([kind, expect.not.stringContaining(`${MARK}.com`)])
    expect([kind, hasLink(withoutOurLinks(mail))]).toEqual([kind, false])
  }
  for (const kind of ['enquiry-arrived', 'enquiry-answered', 'notification'])
    expect(mails[kind]!.subject).toContain(`Claim your $900: evil-${MARK}. com/x7`)
})

describe('the words of a stranger', () => {
  const STRANGE = 'Claim Your Prize'
  const tokenIn = (text: string) => /#([\w-]{43})/.exec(text)![1]!
  const post = (path: string, body: object) => identity.client.request('POST', path, { body, clientIp: '203.0.113.77' })
  const allTo = async (email: string, count: number) => (await identity.mailsTo(email, count)).map(wordsOf).join('\n')

  test('are in no mail to the owner of an address, also not in those that follow when the owner takes the account', async () => {
    const { email } = (await identity.signUp({ firstName: STRANGE })).body.user
    await post('/api/auth/reset', { email })
    const reset = (await identity.mailsTo(email, 2)).find(({ subject }) => subject === 'Set a new password')!
    const answer = await post('/api/auth/reset/confirm', {
      token: tokenIn(reset.text),
      password: 'quite another long one',
    })
    expect(answer.status).toBe(204)
    expect(await allTo(email, 3)).toContain('Your password was changed')
    expect(await allTo(email, 3)).not.toContain('Claim')
  })

  test('are in no mail to a confirmed address that they have typed into a form', async () => {
    const owner = aRegistration()
    await identity.confirmAddress((await identity.signUp(owner)).body.user.id)
    const ticket = { name: STRANGE, email: owner.email, category: 'billing', subject: STRANGE, message: STRANGE }
    expect((await post('/api/support/tickets', ticket)).status).toBe(201)
    const { rows } = await identity.database.admin.query('SELECT id FROM identity.enquiry WHERE email = $1', [
      owner.email,
    ])
    const admin = { ...userActor(), role: 'admin' as const }
    const answering = { actor: admin, body: { text: 'It is 2 %.' } }
    expect((await identity.client.request('POST', `/api/admin/enquiries/${rows[0].id}/answer`, answering)).status).toBe(
      200,
    )
    expect(await allTo(owner.email, 2)).toContain('It is 2 %.')
    expect(await allTo(owner.email, 2)).not.toContain('Claim')
  })
})
