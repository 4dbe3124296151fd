import { mailOf } from '@holdfast/mail/mail-content'
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
const contentOf = (change: Partial<MailedNotification>) => notificationMail({ ...paid, ...change }, 'Ana', URL)
const sent = (change: Partial<MailedNotification>) => mailOf(contentOf(change), { isConfirmed: true })

test('the mail of a notification says what the bell says, and how to switch such mails off', () => {
  const { subject, text } = sent({})
  expect(subject).toBe('Payment received: “Camera”')
  expect(text).toBe(
    `Hello Ana,\n\nPlease ship it.\n\nView the transaction:\n${URL}/transaction/42\n\n--\n\n` +
      `You can switch off mails like this one in your profile: ${URL}/profile#notifications\n`,
  )
})

test.each([
  [{ type: 'message' as const, title: 'New message from the buyer', message: 'Camera' }, '/transaction/42#messages'],
  [{ type: 'dispute' as const, disputeId: 7 }, '/disputes/7'],
  [{ type: 'dispute' as const }, '/transaction/42'],
  [{ type: 'payout' as const, transactionId: null, dealTitle: null }, '/profile?tab=payments'],
  [{ type: 'plan' as const, transactionId: null, dealTitle: null }, '/profile?tab=payments'],
  [{ transactionId: null }, '/dashboard'],
])('leads to the page that it is about: %j', (change, path) => {
  expect(contentOf(change).action?.url).toBe(URL + path)
})

test('names the item of a chat', () => {
  const { subject, text } = sent({ type: 'message', title: 'New message from the buyer', message: 'Camera' })
  expect(subject).toBe('New message from the buyer: “Camera”')
  expect(text).toContain('You have a new message about “Camera”.')
})

test('has no link in the title of an item', () => {
  const { subject, text } = sent({ dealTitle: 'Prize: evil-prize.com/x7', message: 'They sold “evil.com”.' })
  expect(subject).toBe('Payment received: “Prize: evil-prize. com/x7”')
  expect(text).toContain('They sold “evil. com”.')
})
