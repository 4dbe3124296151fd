import { dealReviewed } from '@holdfast/contracts/events'
import type { Notification } from '@holdfast/contracts/messages'
import { newEvent } from '@holdfast/events/outbox/event'
import { newId } from '@holdfast/kernel/ids'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { RunningMessaging } from '../../test/running-messaging.js'

let messaging: RunningMessaging
beforeAll(async () => {
  messaging = await RunningMessaging.start()
})
afterAll(() => messaging.stop())

test('the one who was reviewed is notified, with the way to the deal', async () => {
  const subject = userActor()
  const parties = { buyerId: newId(), sellerId: subject.id, subjectId: subject.id, authorRole: 'buyer' } as const
  const facts = { transactionId: 7, title: 'Camera', ...parties, rating: 4 }
  await messaging.publish(newEvent(dealReviewed, 7, { ...facts, at: new Date().toISOString() }, new Date()))
  const listed = async () =>
    (await messaging.client.request<Notification[]>('GET', '/api/notifications', { actor: subject })).body
  await eventually(async () => (await listed()).length === 1)
  expect(await listed()).toMatchObject([
    { title: 'New review', message: 'The buyer of “Camera” gave you 4 of 5 stars.', transactionId: 7 },
  ])
})
