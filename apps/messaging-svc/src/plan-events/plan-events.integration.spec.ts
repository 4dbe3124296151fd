import {
  type EventEnvelope,
  planChanged,
  subscriptionCancelled,
  subscriptionPaymentFailed,
} from '@holdfast/contracts/events'
import type { Notification } from '@holdfast/contracts/messages'
import { newEvent } from '@holdfast/events/outbox/event'
import { PLAN_CHANGE_REASONS } from '@holdfast/kernel/subscriptions'
import { isCaughtUp, redeliverAll } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { RunningMessaging } from '../../test/running-messaging.js'

let messaging: RunningMessaging
beforeAll(async () => {
  messaging = await RunningMessaging.start()
})
afterAll(() => messaging.stop())

test('a user is notified once of each change of their plan, and of a payment that failed', async () => {
  const { id: userId, ...user } = userActor()
  const at = new Date()
  const failure = { userId, amount: '30.00', currency: 'USD' as const, premiumUntil: '2026-12-01T10:00:00.000Z' }
  const events: EventEnvelope[] = [
    ...PLAN_CHANGE_REASONS.map(reason =>
      newEvent(planChanged, userId, { userId, plan: 'standard' as const, reason, at: at.toISOString() }, at),
    ),
    newEvent(subscriptionPaymentFailed, userId, { ...failure, at: at.toISOString() }, at),
    newEvent(
      subscriptionCancelled,
      userId,
      { userId, reason: 'suspension', premiumUntil: failure.premiumUntil, at: at.toISOString() },
      at,
    ),
  ]
  await messaging.publish(...events)
  await eventually(() => isCaughtUp('messaging-svc', messaging.database))
  await redeliverAll('messaging-svc', messaging.database)
  await eventually(() => isCaughtUp('messaging-svc', messaging.database))
  const actor = { ...user, id: userId }
  const { body } = await messaging.client.request<Notification[]>('GET', '/api/notifications', { actor })
  expect(body.map(({ type, title }) => [type, title])).toEqual([
    ['plan', 'Premium is cancelled'],
    ['plan', 'Payment for Premium failed'],
    ['plan', 'Premium has ended'],
    ['plan', 'Premium has ended'],
    ['plan', 'Premium has ended'],
    ['plan', 'Premium has ended'],
    ['plan', 'Premium has ended'],
    ['plan', 'Premium is back'],
    ['plan', 'Welcome to Premium'],
  ])
  expect(body[0]?.message).toBe(
    'Your account is suspended, so nothing more is charged for Premium. What you have paid lasts until Dec 1, 2026.',
  )
  expect(body[1]?.message).toBe(
    '$30.00 could not be charged to your card. You keep Premium until Dec 1, 2026. Pay with another card before then.',
  )
})
