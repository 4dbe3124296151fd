import { notificationsToMail, notificationsToPush, type PayloadOf } from '@holdfast/contracts/events'
import type { Notification } from '@holdfast/contracts/messages'
import { DEFAULT_NOTIFICATION_SETTINGS, type NotificationSettings } from '@holdfast/kernel/messages'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { RunningMessaging, TestDeal } from '../../test/running-messaging.js'
import { type Channel, PUSH_MESSAGE_AFTER_SECONDS, UNREAD_MESSAGE_SECONDS } from './channels.js'
import { PassOnJob } from './pass-on-job.js'

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

test('of two tabs that each switch a setting neither undoes what the other has saved', async () => {
  const me = userActor()
  // Both tabs show the defaults.
  await Promise.all([
    put(me, { marketingEmails: true, changed: ['marketingEmails'] }),
    put(me, { securityAlerts: false, changed: ['securityAlerts'] }),
  ])
  const chosen = { ...DEFAULT_NOTIFICATION_SETTINGS, marketingEmails: true, securityAlerts: false }
  expect((await get(me)).body).toEqual(chosen)
  // A sender that does not say which has changed changes all, as the specification has it.
  expect((await put(me, {})).body).toEqual(DEFAULT_NOTIFICATION_SETTINGS)
  expect((await put(me, { changed: ['everything'] })).status).toBe(400)
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

type ToPassOn = typeof notificationsToMail | typeof notificationsToPush
/** What identity-svc was asked to pass on to a user by events of a type, oldest first, after a pass of the job. */
async function passedOnTo({ id }: { readonly id: string }, { type }: ToPassOn) {
  await messaging.running.app.get(PassOnJob, { strict: false }).run()
  // An event is in the outbox until it is in the log, and may be in both for a moment. Its id shows that it is the same.
  const { rows } = await messaging.database.admin.query<{ payload: PayloadOf<ToPassOn> }>(
    `SELECT event_id AS id, payload::jsonb AS payload FROM messaging.outbox WHERE type = $1
     UNION SELECT id, payload::jsonb FROM events.log WHERE type = $1 ORDER BY id`,
    [type],
  )
  return rows.flatMap(({ payload }) => payload.notifications).filter(({ userId }) => userId === id)
}

/** Of each notification of a user, whether the job has still to consider it for a channel. */
async function pendingOf({ id }: { readonly id: string }, channel: Channel['pending']): Promise<boolean[]> {
  const sql = `SELECT ${channel} AS pending FROM messaging.notifications WHERE user_id = $1`
  return (await messaging.database.admin.query<{ pending: boolean }>(sql, [id])).rows.map(({ pending }) => pending)
}

describe('mails of notifications', () => {
  const mailedTo = (user: { readonly id: string }) => passedOnTo(user, notificationsToMail)
  const say = (deal: TestDeal, content: string) =>
    messaging.client.request('POST', deal.messagesPath, { actor: deal.buyer, body: { content } })
  const allListed = (deal: TestDeal, count: number) =>
    eventually(async () => {
      const { body } = await messaging.client.request<Notification[]>('GET', '/api/notifications', {
        actor: deal.seller,
      })
      return body.length === count
    })
  /** Makes notifications older, as if so much time had passed. */
  const wait = (deal: TestDeal, seconds: number) =>
    messaging.database.admin.query(
      "UPDATE messaging.notifications SET created_at = created_at - $2 * interval '1 second' WHERE user_id = $1",
      [deal.seller.id, seconds],
    )

  test('are asked for once, and of a message only while it stays unread, without its words', async () => {
    const deal = new TestDeal()
    await messaging.publish(deal.opened(), deal.paid())
    await allListed(deal, 2)
    await say(deal, 'The door code is 4711')
    const steps = await mailedTo(deal.seller)
    expect(steps.map(({ type }) => type)).toEqual(['transaction', 'transaction'])
    expect(steps[0]).toMatchObject({
      transactionId: deal.id,
      disputeId: null,
      title: expect.any(String),
      dealTitle: 'Camera',
    })
    await wait(deal, UNREAD_MESSAGE_SECONDS + 1)
    const [message, ...others] = (await mailedTo(deal.seller)).filter(({ type }) => type === 'message')
    expect([message, others]).toMatchObject([{ title: 'New message from the buyer', message: 'Camera' }, []])
    // A further message belongs to the same unread notification.
    await say(deal, 'Did you see it?')
    await wait(deal, UNREAD_MESSAGE_SECONDS + 1)
    expect(await mailedTo(deal.seller)).toHaveLength(3)
    // A read one needs no mail.
    await messaging.client.request('POST', '/api/notifications/read', { actor: deal.seller })
    await say(deal, 'Thanks')
    await messaging.client.request('POST', '/api/notifications/read', { actor: deal.seller })
    await wait(deal, UNREAD_MESSAGE_SECONDS + 1)
    expect(await mailedTo(deal.seller)).toHaveLength(3)
  })

  test('of a message are not asked for when its chat was hidden meanwhile, since the link would lead to no page', async () => {
    const deal = new TestDeal()
    await messaging.publish(deal.opened())
    await allListed(deal, 1)
    await say(deal, 'I have changed my mind')
    const by = { actor: `user:${deal.buyer.id}` }
    await messaging.publish(deal.event('transactionCancelled', { wasFunded: false, cause: 'cancel' }, by))
    await allListed(deal, 3)
    await wait(deal, UNREAD_MESSAGE_SECONDS + 1)
    expect((await mailedTo(deal.seller)).map(({ type }) => type)).toEqual(['transaction', 'transaction'])
    expect(await pendingOf(deal.seller, 'mail_pending')).toEqual([false, false, false])
  })

  test('of the steps of deals are asked for where these are written: no notification is updated for it', async () => {
    const deal = new TestDeal()
    await messaging.publish(deal.opened(), deal.paid())
    await eventually(async () => (await mailedTo(deal.seller)).length === 2)
    const { rows } = await messaging.database.admin.query(
      `SELECT n.xmin::text IN (SELECT m.xmin::text FROM messaging.messages m WHERE m.transaction_id = $1) AS "isAsWritten"
       FROM messaging.notifications n WHERE n.transaction_id = $1`,
      [deal.id],
    )
    expect(rows).toEqual([{ isAsWritten: true }, { isAsWritten: true }, { isAsWritten: true }])
  })

  test('of a dispute whose id is not known yet are asked for once, by the job', async () => {
    const deal = new TestDeal()
    const facts = { status: 'disputed', version: null, waitsForBank: false }
    const disputed = deal.event('transactionDisputed', { ...facts, disputeId: null, cause: 'receive_by' })
    await messaging.publish(deal.opened(), disputed)
    await eventually(async () => (await mailedTo(deal.seller)).some(({ type }) => type === 'dispute'))
    await mailedTo(deal.seller)
    const [first, ...others] = (await mailedTo(deal.seller)).filter(({ type }) => type === 'dispute')
    expect([first, others]).toMatchObject([{ transactionId: deal.id, dealTitle: 'Camera' }, []])
  })

  test.each([{ emailNotifications: false }, { transactionUpdates: false }])(
    'are not asked for with %j',
    async change => {
      const deal = new TestDeal()
      await put(deal.seller, change)
      await messaging.publish(deal.opened(), deal.paid())
      await eventually(async () => (await mailedTo(deal.buyer)).length === 1)
      expect(await mailedTo(deal.seller)).toEqual([])
      expect(await pendingOf(deal.seller, 'mail_pending')).toEqual([false, false])
    },
  )
})

describe('push messages of notifications', () => {
  const pushedTo = async (user: { readonly id: string }) =>
    (await passedOnTo(user, notificationsToPush)).map(({ title }) => title)

  test('are asked for once, of a message only while it stays unread, and not with the setting off', async () => {
    const [deal, quiet] = [new TestDeal(), new TestDeal()]
    await put(quiet.seller, { pushNotifications: false })
    await messaging.publish(deal.opened(), deal.paid(), quiet.opened(), quiet.paid())
    await eventually(async () => (await pushedTo(deal.seller)).length === 2)
    await eventually(async () => (await pushedTo(quiet.buyer)).length === 1)
    expect(await pushedTo(quiet.seller)).toEqual([])
    expect(await pendingOf(quiet.seller, 'push_pending')).toEqual([false, false])
    for (const content of ['One', 'Two'])
      await messaging.client.request('POST', deal.messagesPath, { actor: deal.buyer, body: { content } })
    expect(await pushedTo(deal.seller)).toHaveLength(2)
    await messaging.database.admin.query(
      "UPDATE messaging.notifications SET created_at = created_at - $2 * interval '1 second' WHERE user_id = $1",
      [deal.seller.id, PUSH_MESSAGE_AFTER_SECONDS + 1],
    )
    expect((await pushedTo(deal.seller)).filter(title => title.includes('message'))).toEqual([
      'New message from the buyer',
    ])
    expect(await pushedTo(deal.seller)).toHaveLength(3)
    // It is too early for a mail.
    const { rows } = await messaging.database.admin.query(
      "SELECT mail_pending, push_pending FROM messaging.notifications WHERE user_id = $1 AND type = 'message'",
      [deal.seller.id],
    )
    expect(rows).toEqual([{ mail_pending: true, push_pending: false }])
  })
})
