import type { Notification } from '@holdfast/contracts/messages'
import { DEFAULT_NOTIFICATION_SETTINGS, type NotificationSettings } from '@holdfast/kernel/messages'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { RunningMessaging, TestDeal } from '../../test/running-messaging.js'

const PATH = '/api/notifications/settings'
let messaging: RunningMessaging
beforeAll(async () => {
  messaging = await RunningMessaging.start()
})
afterAll(() => messaging.stop())

type Actor = ReturnType<typeof userActor> | null
const get = (actor: Actor) => messaging.client.request<NotificationSettings>('GET', PATH, { actor })
const put = (actor: Actor, change: object) =>
  messaging.client.request<NotificationSettings>('PUT', PATH, {
    actor,
    body: { ...DEFAULT_NOTIFICATION_SETTINGS, ...change },
  })

test('the settings are the defaults until a user chooses, and only that user’s change', async () => {
  const [me, other] = [userActor(), userActor()]
  expect((await get(me)).body).toEqual(DEFAULT_NOTIFICATION_SETTINGS)
  const chosen = { ...DEFAULT_NOTIFICATION_SETTINGS, marketingEmails: true, pushNotifications: false }
  expect(await put(me, { marketingEmails: true, pushNotifications: false })).toMatchObject({
    status: 200,
    body: chosen,
  })
  expect([(await get(me)).body, (await get(other)).body]).toEqual([chosen, DEFAULT_NOTIFICATION_SETTINGS])
  expect((await get(null)).status).toBe(401)
})

test.each([{ securityAlerts: 'yes' }, { smsNotifications: null }, { transactionUpdates: 1 }])(
  '%j is refused, and the field is named',
  async change => {
    const [field] = Object.keys(change) as [string]
    expect(await put(userActor(), change)).toMatchObject({
      status: 400,
      body: { details: { fields: { [field]: 'Must be true or false' } } },
    })
  },
)

test('what a user does not want to be told is neither listed nor counted, and is there again when they want it', async () => {
  const deal = new TestDeal()
  await messaging.publish(deal.opened(), deal.paid())
  await messaging.client.request('POST', deal.messagesPath, { actor: deal.buyer, body: { content: 'Hello' } })
  const seen = async () => {
    const { body } = await messaging.client.request<Notification[]>('GET', '/api/notifications', { actor: deal.seller })
    const unread = await messaging.client.request<{ unread: number }>('GET', '/api/notifications/unread', {
      actor: deal.seller,
    })
    expect(unread.body.unread).toBe(body.length)
    return [...new Set(body.map(({ type }) => type))].sort()
  }
  await eventually(async () => (await seen()).length === 2)
  for (const [change, types] of [
    [{ messageNotifications: false }, ['transaction']],
    [{ transactionUpdates: false }, ['message']],
    [{ messageNotifications: false, transactionUpdates: false }, []],
    [{}, ['message', 'transaction']],
  ] as const) {
    await put(deal.seller, change)
    expect(await seen()).toEqual(types)
  }
})
