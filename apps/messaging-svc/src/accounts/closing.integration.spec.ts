import { planChanged, userClosed } from '@holdfast/contracts/events'
import type { Message } from '@holdfast/contracts/messages'
import { newEvent } from '@holdfast/events/outbox/event'
import { newId } from '@holdfast/kernel/ids'
import { DEFAULT_NOTIFICATION_SETTINGS } from '@holdfast/kernel/messages'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { isCaughtUp, publishAs } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import sharp from 'sharp'
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
  const other = Object.assign(new TestDeal(), { buyer: deal.buyer })
  await messaging.publish(deal.opened(), other.opened())
  const post = async ({ messagesPath }: TestDeal, actor: UserActor, content: string, images: string[] = []) => {
    const answer = await messaging.client.request<Message>('POST', messagesPath, { actor, body: { content, images } })
    expect(answer.status).toBe(201)
    return answer.body
  }
  const create = { width: 9, height: 9, channels: 3, background: 'red' } as const
  const png = await sharp({ create }).png().toBuffer()
  const { id } = await post(deal, deal.buyer, 'Is it packed?', [`data:image/png;base64,${png.toString('base64')}`])
  const answered = await post(deal, deal.seller, 'Yes.')
  await post(other, other.buyer, 'And this one?')
  expect(await read(deal.buyer, 'messages')).toMatchObject([
    { content: 'Is it packed?', transactionId: deal.id, pictures: [`${deal.messagesPath}/${id}/images/0`] },
    { content: 'And this one?', transactionId: other.id, pictures: [] },
  ])
  expect(JSON.stringify(await read(deal.buyer, 'messages'))).not.toMatch(/sealed|wrappedKey|keyId/)
  expect((await read(deal.buyer, 'notifications')).length).toBeGreaterThan(0)
  expect(await read(deal.buyer, 'notificationSettings')).toEqual([])
  for (const actor of [deal.buyer, deal.seller]) {
    const settings = { actor, body: { ...DEFAULT_NOTIFICATION_SETTINGS, marketingEmails: true } }
    expect((await messaging.client.request('PUT', '/api/notifications/settings', settings)).status).toBe(200)
  }
  expect(await read(deal.buyer, 'notificationSettings')).toMatchObject([{ marketingEmails: true }])
  const seen = { actor: deal.buyer, body: { upTo: answered.id } }
  expect((await messaging.client.request('PUT', `${deal.messagesPath}/read`, seen)).status).toBe(204)
  const marks = async () =>
    (await messaging.database.admin.query('SELECT FROM messaging.read_marks WHERE user_id = $1', [deal.buyer.id]))
      .rowCount
  expect(await marks()).toBe(1)

  const closed = { userId: deal.buyer.id, closingId: newId(), at: new Date().toISOString() }
  await publishAs('identity-svc', messaging.database, newEvent(userClosed, deal.buyer.id, closed, new Date()))
  await eventually(async () => (await read(deal.buyer, 'notifications')).length === 0)
  expect([await read(deal.buyer, 'notificationSettings'), await marks()]).toEqual([[], 0])
  for (const part of ['notifications', 'notificationSettings'])
    expect((await read(deal.seller, part)).length).toBeGreaterThan(0)
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

  // The provider ends Premium after the closing, an old deal goes on, and the other party may write in its chat.
  const ended = { userId: deal.buyer.id, plan: 'standard' as const, reason: 'ended' as const, at }
  await messaging.publish(newEvent(planChanged, deal.buyer.id, ended, new Date()), deal.paid())
  const body = { content: 'Thank you.' }
  expect((await messaging.client.request('POST', deal.messagesPath, { actor: deal.seller, body })).status).toBe(201)
  await eventually(() => isCaughtUp('messaging-svc', messaging.database))
  expect(await read(deal.buyer, 'notifications')).toEqual([])
  expect((await read(deal.seller, 'notifications')).map(({ title }) => title)).toContain('Payment held')
})
