import { EVENTS, type EventEnvelope } from '@holdfast/contracts/events'
import type { Notification } from '@holdfast/contracts/messages'
import { newEvent } from '@holdfast/events/outbox/event'
import { newId } from '@holdfast/kernel/ids'
import { isCaughtUp, redeliverAll } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { RunningMessaging } from '../../test/running-messaging.js'

let messaging: RunningMessaging
beforeAll(async () => {
  messaging = await RunningMessaging.start()
})
afterAll(() => messaging.stop())

test('the seller is notified of each step of a payout once, and of why it came back', async () => {
  const seller = userActor()
  const at = new Date()
  const payout = {
    ...{ payoutId: newId(), sellerId: seller.id, amount: '98.50', currency: 'USD' as const },
    ...{ bankLabel: 'Test Bank ending in 1113', at: at.toISOString() },
  }
  const change = {
    ...{ sellerId: seller.id, changeId: newId(), bankLabel: 'Test Bank ending in 6789' },
    ...{ waitsUntil: at.toISOString(), at: at.toISOString() },
  }
  const failure = 'The bank account has been closed.'
  const events: EventEnvelope[] = [
    newEvent(EVENTS.payoutSent, payout.payoutId, payout, at),
    newEvent(EVENTS.payoutPaid, payout.payoutId, payout, at),
    newEvent(EVENTS.payoutReturned, payout.payoutId, { ...payout, failure }, at),
    newEvent(EVENTS.payoutAccountChanged, seller.id, change, at),
  ]
  await messaging.publish(...events)
  await eventually(() => isCaughtUp('messaging-svc', messaging.database))
  await redeliverAll('messaging-svc', messaging.database)
  await eventually(() => isCaughtUp('messaging-svc', messaging.database))
  const { body } = await messaging.client.request<Notification[]>('GET', '/api/notifications', { actor: seller })
  // The account has another key than the payout, so its event comes in any order.
  const [account] = body.filter(({ title }) => title === 'Payout account changed')
  const steps = body.filter(each => each !== account)
  expect(steps.map(({ type, title, transactionId }) => [type, title, transactionId])).toEqual([
    ['payout', 'Payout returned', null],
    ['payout', 'Payout paid', null],
    ['payout', 'Payout on its way', null],
  ])
  expect(steps[0]?.message).toBe(
    '$98.50 did not reach Test Bank ending in 1113 and is on your balance again. The bank account has been closed.',
  )
  expect(account?.message).toContain('Test Bank ending in 6789. Payouts wait for 2 days')
})
