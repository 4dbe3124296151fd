import { userClosed } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { newId } from '@holdfast/kernel/ids'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { publishAs } from '@holdfast/testing/event-log'
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
