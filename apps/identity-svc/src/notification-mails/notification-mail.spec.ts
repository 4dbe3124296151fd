import { expect, test } from 'vitest'
import { type MailedNotification, notificationMail } from './notification-mail.js'

const URL = 'https://holdfast.example'
const paid: MailedNotification = {
  userId: '00000000-0000-7000-8000-000000000001',
  type: 'transaction',
  title: 'Payment received',
  message: 'Please ship it.',
  dealTitle: 'Camera',
  transactionId: 42,
  disputeId: null,
}
const mailOf = (change: Partial<MailedNotification>) => notificationMail({ ...paid, ...change }, 'Ana', URL)

test('the mail of a notification says what the bell says, and how to switch such mails off', () => {
  expect(mailOf({})).toEqual({
    subject: 'Payment received: Camera',
    greeting: 'Hello Ana,',
    paragraphs: ['Please ship it.'],
    action: { label: 'View the transaction', url: `${URL}/transaction/42` },
    reason: `You can switch off mails like this one in your profile: ${URL}/profile#notifications`,
  })
})

test.each([
  [{ type: 'message' as const, title: 'New message from the buyer', message: 'Camera' }, '/transaction/42#messages'],
  [{ type: 'dispute' as const, disputeId: 7 }, '/disputes/7'],
  [{ type: 'dispute' as const }, '/transaction/42'],
  [{ type: 'payout' as const, transactionId: null, dealTitle: null }, '/profile?tab=payments'],
  [{ type: 'plan' as const, transactionId: null, dealTitle: null }, '/profile?tab=payments'],
  [{ transactionId: null }, '/dashboard'],
])('leads to the page that it is about: %j', (change, path) => {
  expect(mailOf(change).action?.url).toBe(URL + path)
})

test('names the item of a chat', () => {
  const mail = mailOf({ type: 'message', title: 'New message from the buyer', message: 'Camera' })
  expect([mail.subject, mail.paragraphs[0]]).toEqual([
    'New message from the buyer: Camera',
    'You have a new message about “Camera”.',
  ])
})
