import { notificationsToMail } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { newId } from '@holdfast/kernel/ids'
import { isCaughtUp, publishAs } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { aRegistration, RunningIdentity } from '../../test/running-identity.js'

let identity: RunningIdentity
beforeAll(async () => {
  identity = await RunningIdentity.start()
})
afterAll(() => identity.stop())

async function signUp(isConfirmed: boolean) {
  const registration = aRegistration()
  const { body } = await identity.signUp(registration)
  if (isConfirmed) {
    await identity.confirmAddress(body.user.id)
  }
  return { id: body.user.id, email: registration.email }
}

const subjectsTo = (address: string) =>
  identity.mails.filter(({ recipients }) => recipients.includes(address)).map(({ subject }) => subject)

const about = (userId: string, title: string) => ({
  id: newId(),
  userId,
  type: 'transaction' as const,
  title,
  message: 'Please ship it.',
  dealTitle: null,
  transactionId: 42,
  disputeId: null,
})

test('a notification goes to the address that its user has when the mail is sent, and to none when that is not confirmed', async () => {
  const [moved, unconfirmed] = [await signUp(true), await signUp(true)]
  const { admin } = identity.database
  // The mail server is away for a while.
  const delay = (pause: string) =>
    admin.query(`ALTER TABLE identity.mail ALTER COLUMN due_at SET DEFAULT now() + interval '${pause}'`)
  await delay('1 hour')
  const notifications = [about(moved.id, 'Moved'), about(unconfirmed.id, 'Unconfirmed')]
  const event = newEvent(notificationsToMail, moved.id, { notifications }, new Date())
  await publishAs('messaging-svc', identity.database, event)
  await eventually(() => isCaughtUp('identity-svc', identity.database))
  await delay('0')
  await admin.query('UPDATE identity.users SET email = $2 WHERE id = $1', [moved.id, `new.${moved.email}`])
  await identity.confirmAddress(unconfirmed.id, false)
  await admin.query(`UPDATE identity.mail SET due_at = now() WHERE kind = 'notification' AND due_at IS NOT NULL`)
  await eventually(async () => {
    await identity.sweepMails()
    return subjectsTo(`new.${moved.email}`).includes('Moved')
  })
  const ended = `SELECT outcome FROM identity.mail WHERE kind = 'notification' AND recipient = $1`
  await eventually(async () => (await admin.query(ended, [unconfirmed.email])).rows[0].outcome === 'not_needed')
  expect(subjectsTo(moved.email)).not.toContain('Moved')
  expect(subjectsTo(unconfirmed.email)).not.toContain('Unconfirmed')
})

test('a notification is mailed to a confirmed address once, and to no other', async () => {
  const [ana, ben] = [await signUp(true), await signUp(false)]
  const notifications = [about(ben.id, 'For Ben'), about(ana.id, 'Payment received'), about(newId(), 'For nobody')]
  const event = newEvent(notificationsToMail, ana.id, { notifications }, new Date())
  await publishAs('messaging-svc', identity.database, event, event)
  // The mail to confirm the address may come before.
  await eventually(async () => {
    await identity.sweepMails()
    return subjectsTo(ana.email).includes('Payment received')
  })
  const [mail] = identity.mails.filter(({ subject }) => subject === 'Payment received')
  expect(mail).toMatchObject({ recipients: [ana.email] })
  expect(mail?.text).toContain('http://localhost:3000/transaction/42')
  await identity.sweepMails()
  expect(subjectsTo(ana.email).filter(subject => subject === 'Payment received')).toHaveLength(1)
  expect(subjectsTo(ben.email)).not.toContain('For Ben')
})
