import { notificationsToMail } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { newId } from '@holdfast/kernel/ids'
import { publishAs } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

test('a notification is mailed to a confirmed address once, and to no other', async () => {
  const [ana, ben] = [await signUp(true), await signUp(false)]
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
