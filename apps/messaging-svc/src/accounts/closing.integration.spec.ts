import { planChanged, userClosed } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { newId } from '@holdfast/kernel/ids'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { isCaughtUp, publishAs } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RunningMessaging, TestDeal } from '../../test/running-messaging.js'

let messaging: RunningMessaging
beforeAll(async () => {
  messaging = await RunningMessaging.start()
})
afterAll(() => messaging.stop())

const read = async (actor: UserActor, part: string) => {
  const path = `/internal/personal-data?part=${part}`
  return (await messaging.client.request<{ items: Record<string, unknown>[] }>('GET', path, { actor })).body.items
}

test('a person exports what they wrote, and loses their notifications when they close the account; the chat stays', async () => {
  const deal = new TestDeal()
  await messaging.publish(deal.opened())
  const post = (actor: UserActor, content: string) =>
    messaging.client.request('POST', deal.messagesPath, { actor, body: { content } })
  expect((await post(deal.buyer, 'Is it packed?')).status).toBe(201)
  expect((await post(deal.seller, 'Yes.')).status).toBe(201)
  expect(await read(deal.buyer, 'messages')).toMatchObject([
    { content: 'Is it packed?', transactionId: deal.id, pictures: [] },
  ])
  expect(JSON.stringify(await read(deal.buyer, 'messages'))).not.toMatch(/sealed|wrappedKey|keyId/)
  expect((await read(deal.buyer, 'notifications')).length).toBeGreaterThan(0)
  expect(await read(deal.buyer, 'notificationSettings')).toEqual([])

  const closed = { userId: deal.buyer.id, closingId: newId(), at: new Date().toISOString() }
  await publishAs('identity-svc', messaging.database, newEvent(userClosed, deal.buyer.id, closed, new Date()))
  await eventually(async () => (await read(deal.buyer, 'notifications')).length === 0)
  const chat = await messaging.client.request('GET', deal.messagesPath, { actor: deal.seller })
  expect(JSON.stringify(chat.body)).toContain('Is it packed?')
})

test('what happens after the closing adds no notification', async () => {
  const deal = new TestDeal()
  const at = new Date().toISOString()
  await messaging.publish(deal.opened())
  const closed = { userId: deal.buyer.id, closingId: newId(), at }
  await publishAs('identity-svc', messaging.database, newEvent(userClosed, deal.buyer.id, closed, new Date()))
  await eventually(() => isCaughtUp('messaging-svc', messaging.database))

  // The provider ends Premium after the closing, and the other party may write in the chat of an old deal.
  const ended = { userId: deal.buyer.id, plan: 'standard' as const, reason: 'ended' as const, at }
  await messaging.publish(newEvent(planChanged, deal.buyer.id, ended, new Date()))
  const body = { content: 'Thank you.' }
  expect((await messaging.client.request('POST', deal.messagesPath, { actor: deal.seller, body })).status).toBe(201)
  await eventually(() => isCaughtUp('messaging-svc', messaging.database))
  expect(await read(deal.buyer, 'notifications')).toEqual([])
})
