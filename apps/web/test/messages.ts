import type { Message, Notification } from '@holdfast/contracts/messages'
import { uuid } from './ids.js'
import { ana } from './people.js'

/** Ana writes in the chat of deal 42. Messages with different numbers have different ids. */
export const message = (number: number, change: Partial<Message> = {}): Message => ({
  id: uuid(1000 + number),
  transactionId: 42,
  senderId: ana.id,
  content: 'Hello',
  images: [],
  isSystem: false,
  createdAt: new Date().toISOString(),
  ...change,
})

/** Ana is notified that deal 42 is paid. Notifications with different numbers have different ids. */
export const notification = (number: number, change: Partial<Notification> = {}): Notification => ({
  id: uuid(2000 + number),
  type: 'transaction',
  title: 'Payment received',
  message: 'Ship the oak chair.',
  transactionId: 42,
  disputeId: null,
  read: false,
  time: '2026-11-29T10:00:00.000Z',
  ...change,
})
