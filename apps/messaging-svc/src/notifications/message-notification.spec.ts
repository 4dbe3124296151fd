import { messageNotification } from './message-notification.js'

test('the notification of a message has the sender’s role and the deal', () => {
  const deal = { buyerId: 'b', title: 'Camera' }
  expect(messageNotification(deal, 'b')).toEqual({ title: 'New message from the buyer', text: 'Camera' })
  expect(messageNotification(deal, 's').title).toBe('New message from the seller')
})
