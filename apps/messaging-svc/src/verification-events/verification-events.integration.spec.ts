import { EVENTS } from '@holdfast/contracts/events'
import type { Notification } from '@holdfast/contracts/messages'
import { newEvent } from '@holdfast/events/outbox/event'
import { isCaughtUp, publishAs, redeliverAll } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { RunningMessaging } from '../../test/running-messaging.js'

let messaging: RunningMessaging
beforeAll(async () => {
  messaging = await RunningMessaging.start()
})
afterAll(() => messaging.stop())

test('a user is notified once of each decision about their documents, with the reason of a rejection', async () => {
  const user = userActor()
  const decided = (decision: 'approved' | 'rejected', reason: string | null) => {
    const at = new Date()
    return newEvent(
      EVENTS.userVerificationDecided,
      user.id,
      { userId: user.id, decision, reason, at: at.toISOString() },
      at,
    )
  }
  await publishAs(
    'identity-svc',
    messaging.database,
    decided('rejected', 'The back is blurred.'),
    decided('approved', null),
  )
  await eventually(() => isCaughtUp('messaging-svc', messaging.database))
  await redeliverAll('messaging-svc', messaging.database)
  await eventually(() => isCaughtUp('messaging-svc', messaging.database))
  const { body } = await messaging.client.request<Notification[]>('GET', '/api/notifications', { actor: user })
  expect(body.map(({ type, title, message }) => [type, title, message])).toEqual([
    ['security', 'Identity verified', 'Your identity is verified. What you earn can be paid out.'],
    [
      'security',
      'Verification rejected',
      'Your identity is not verified. The back is blurred. You can send new documents.',
    ],
  ])
})
