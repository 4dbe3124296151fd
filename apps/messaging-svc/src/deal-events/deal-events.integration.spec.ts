import { EVENTS, type EventEnvelope, type EventOf, type PayloadOf } from '@holdfast/contracts/events'
import type { Message, Notification } from '@holdfast/contracts/messages'
import { EventsServer } from '@holdfast/events/consumer/events-server'
import { newEvent } from '@holdfast/events/outbox/event'
import { MAX_PAGE_SIZE } from '@holdfast/kernel/requests'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { isCaughtUp, publishAs, redeliverAll } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { RunningMessaging, TestDeal } from '../../test/running-messaging.js'

let messaging: RunningMessaging
beforeAll(async () => {
  messaging = await RunningMessaging.start()
})
afterAll(() => messaging.stop())

const chat = async (deal: TestDeal, actor = deal.buyer) =>
  (await messaging.client.request<Message[]>('GET', deal.messagesPath, { actor })).body
const notifications = async (actor: UserActor, query = '') =>
  (await messaging.client.request<Notification[]>('GET', `/api/notifications${query}`, { actor })).body
const caughtUp = () => eventually(() => isCaughtUp('messaging-svc', messaging.database))

type DealsAnnounced = PayloadOf<EventOf<'dealsAnnounced'>>

/** The events about a deal's announcements in the log. Resolves when there is one. */
const announcedFor = (deal: TestDeal) =>
  eventually(async () => {
    const { rows } = await messaging.database.admin.query<{ payload: DealsAnnounced; request_id: string | null }>(
      `SELECT payload, request_id FROM events.log WHERE type = 'messaging.message.announced.v1'
       AND payload::jsonb @? format('$.transactions[*] ? (@.transactionId == %s)', $1::bigint)::jsonpath`,
      [deal.id],
    )
    return rows.length > 0 ? rows : null
  })

async function happened(...events: readonly EventEnvelope[]): Promise<void> {
  await messaging.publish(...events)
  await caughtUp()
}

describe('an event of a deal', () => {
  test('is announced in its chat by the system, in order', async () => {
    const deal = new TestDeal()
    const at = new Date('2026-11-20T10:00:00Z')
    await happened(
      deal.opened(),
      deal.paid(),
      deal.event('transactionDelivered', {}, { at }),
      deal.event('transactionInspectionStarted', { inspectionEndsAt: '2026-11-23T10:00:00.000Z' }, { at }),
    )
    const messages = await chat(deal)
    for (const message of messages) expect(message).toMatchObject({ senderId: null, isSystem: true })
    expect(messages.slice(0, 2).map(({ content, createdAt }) => [content.slice(0, 24), createdAt])).toEqual([
      ['The item has been delive', '2026-11-20T10:00:00.000Z'],
      ['The inspection period ha', '2026-11-20T10:00:00.000Z'],
    ])
    expect(messages[2]?.content).toMatch(/^Transaction opened at \$100\.00\./)
    expect(messages[3]?.content).toMatch(/^The buyer has paid: \$107\.00 is held/)
  })

  test('notifies the party that did not act, or both when neither did', async () => {
    const deal = new TestDeal()
    await happened(deal.opened())
    expect(await notifications(deal.buyer)).toEqual([])
    expect(await notifications(deal.seller)).toEqual([
      {
        id: expect.any(String),
        type: 'transaction',
        title: 'New transaction',
        message: expect.stringContaining('A buyer wants “Camera” at $100.00.'),
        transactionId: deal.id,
        disputeId: null,
        read: false,
        time: expect.stringMatching(/Z$/),
      },
    ])
    await happened(deal.paid())
    expect((await notifications(deal.buyer)).map(({ title }) => title)).toEqual(['Payment held'])
    expect((await notifications(deal.seller)).map(({ title }) => title)).toEqual(['Payment held', 'New transaction'])
  })

  test('is announced once, although it is delivered several times', async () => {
    const deal = new TestDeal()
    await happened(deal.opened(), deal.paid())
    await redeliverAll('messaging-svc', messaging.database)
    await caughtUp()
    expect(await chat(deal)).toHaveLength(2)
    expect(await notifications(deal.seller)).toHaveLength(2)
  })

  test('is announced once when two deliveries arrive at the same moment', async () => {
    const deal = new TestDeal()
    await happened(deal.opened())
    const event = deal.paid()
    const server = messaging.running.app.get(EventsServer)
    const deliver = () => server.handle({ event, attempt: 1 })
    await Promise.all([deliver(), deliver(), deliver()])
    expect(await chat(deal)).toHaveLength(2)
    expect(await notifications(deal.buyer)).toHaveLength(1)
  })

  test('is announced for many deals at once', async () => {
    const deals = Array.from({ length: 200 }, () => new TestDeal())
    await happened(...deals.map(deal => deal.opened()), ...deals.map(deal => deal.paid()))
    for (const deal of [deals[0]!, deals[99]!, deals[199]!]) expect(await chat(deal, deal.seller)).toHaveLength(2)
    const { rows } = await messaging.database.admin.query<{ count: number }>(
      'SELECT count(*)::int FROM messaging.messages WHERE transaction_id = ANY($1)',
      [deals.map(({ id }) => id)],
    )
    expect(rows[0]?.count).toBe(400)
  })

  test('publishes its message, so that an open chat in a browser shows it at once', async () => {
    const deal = new TestDeal()
    const event = deal.opened()
    await happened(event)
    const [published] = await announcedFor(deal)
    const parties = { transactionId: deal.id, buyerId: deal.buyer.id, sellerId: deal.seller.id }
    expect(published).toEqual({ payload: { transactions: [parties] }, request_id: event.requestId ?? event.id })
    expect(await chat(deal)).toHaveLength(1)
  })

  test('shares the published event with events of other deals that arrived together', async () => {
    const deals = Array.from({ length: 40 }, () => new TestDeal())
    await happened(...deals.map(deal => deal.opened()))
    const published = new Set<string>()
    for (const deal of deals) for (const { payload } of await announcedFor(deal)) published.add(JSON.stringify(payload))
    const announced = [...published].flatMap(payload => (JSON.parse(payload) as DealsAnnounced).transactions)
    expect(announced.map(({ transactionId }) => transactionId).sort()).toEqual(deals.map(({ id }) => id).sort())
    expect(published.size).toBeLessThan(deals.length / 2)
  })

  test('adds the parties of its deal, also when it is not the first event', async () => {
    const deal = new TestDeal()
    await happened(deal.paid())
    expect(await chat(deal, deal.seller)).toHaveLength(1)
  })
})

describe('a deal cancelled before it was paid', () => {
  test('is hidden with its chat, and the other party is notified', async () => {
    const deal = new TestDeal()
    await happened(deal.opened())
    const by = { actor: `user:${deal.buyer.id}` }
    await happened(deal.event('transactionCancelled', { wasFunded: false, cause: 'cancel' }, by))
    for (const actor of [deal.buyer, deal.seller]) {
      const answer = await messaging.client.request('GET', deal.messagesPath, { actor })
      expect(answer).toMatchObject({ status: 404, body: { code: 'TRANSACTION_NOT_FOUND' } })
    }
    expect((await notifications(deal.seller))[0]).toMatchObject({ title: 'Transaction cancelled', transactionId: null })
    const mailed = await eventually(async () => {
      const { rows } = await messaging.database.admin.query(
        `SELECT n ->> 'dealTitle' AS "dealTitle" FROM events.log, jsonb_array_elements(payload::jsonb -> 'notifications') n
         WHERE type = $1 AND key = $2 AND n ->> 'title' = 'Transaction cancelled'`,
        [EVENTS.notificationsToMail.type, deal.seller.id],
      )
      return rows.length > 0 && rows
    })
    expect(mailed).toEqual([{ dealTitle: null }])
  })

  test('keeps its chat when it had been paid', async () => {
    const deal = new TestDeal()
    await happened(deal.opened(), deal.paid(), deal.event('transactionCancelled', { wasFunded: true, cause: 'refund' }))
    expect(await chat(deal)).toHaveLength(3)
  })
})

describe('notifications', () => {
  test('of messages contain the sender’s role and the deal, and no word of them; unread ones of a chat are combined', async () => {
    const deal = new TestDeal()
    await happened(deal.paid())
    const say = (content: string) =>
      messaging.client.request('POST', deal.messagesPath, { actor: deal.buyer, body: { content } })
    await say('First')
    await happened(deal.event('transactionDelivered', {}))
    await say('Second\nline')
    const [newest, ...others] = await notifications(deal.seller)
    expect(newest).toMatchObject({
      type: 'message',
      title: 'New message from the buyer',
      message: 'Camera',
      transactionId: deal.id,
      read: false,
    })
    expect(others.map(({ type }) => type)).toEqual(['transaction', 'transaction'])
    expect((await notifications(deal.buyer)).map(({ type }) => type)).toEqual(['transaction', 'transaction'])

    await messaging.client.request('POST', '/api/notifications/read', { actor: deal.seller })
    await say('Third')
    expect((await notifications(deal.seller)).map(({ read }) => read)).toEqual([false, true, true, true])
  })

  test('are marked as read for their owner only', async () => {
    const deal = new TestDeal()
    await happened(deal.paid())
    const read = await messaging.client.request('POST', '/api/notifications/read', { actor: deal.buyer })
    expect(read.status).toBe(204)
    expect((await notifications(deal.buyer)).map(({ read }) => read)).toEqual([true])
    expect((await notifications(deal.seller)).map(({ read }) => read)).toEqual([false])
  })

  test('are counted while unread, also those on other pages', async () => {
    const deal = new TestDeal()
    const unread = async (actor: UserActor | null) =>
      await messaging.client.request<{ unread: number }>('GET', '/api/notifications/unread', { actor })
    expect(await unread(deal.buyer)).toMatchObject({ status: 200, body: { unread: 0 } })
    await happened(...Array.from({ length: MAX_PAGE_SIZE + 1 }, () => deal.paid()))
    expect((await unread(deal.buyer)).body).toEqual({ unread: MAX_PAGE_SIZE + 1 })
    expect((await unread(userActor())).body).toEqual({ unread: 0 })
    expect((await unread(null)).status).toBe(401)

    await messaging.client.request('POST', '/api/notifications/read', { actor: deal.buyer })
    expect((await unread(deal.buyer)).body).toEqual({ unread: 0 })
    expect((await unread(deal.seller)).body).toEqual({ unread: MAX_PAGE_SIZE + 1 })
  })

  test('are limited by the request, newest first', async () => {
    const deal = new TestDeal()
    await happened(deal.paid(), deal.event('transactionDelivered', {}))
    expect((await notifications(deal.buyer, '?limit=1')).map(({ title }) => title)).toEqual(['Item delivered'])
  })

  test('refuse a malformed limit, and visitors', async () => {
    const bad = await messaging.client.request('GET', '/api/notifications?limit=-1', { actor: userActor() })
    expect(bad).toMatchObject({ status: 400, body: { details: { fields: { limit: expect.any(String) } } } })
    expect(await messaging.client.request('GET', '/api/notifications')).toMatchObject({ status: 401 })
    expect(await messaging.client.request('POST', '/api/notifications/read')).toMatchObject({ status: 401 })
  })
})

describe('a notification about a dispute', () => {
  const about = async (actor: UserActor) =>
    (await notifications(actor)).map(({ type, title, transactionId, disputeId }) => [
      type,
      title,
      transactionId,
      disputeId,
    ])
  const opened = (deal: TestDeal, disputeId: number, reporterId: string | null) =>
    newEvent(
      EVENTS.disputeOpened,
      disputeId,
      { disputeId, transactionId: deal.id, buyerId: deal.buyer.id, sellerId: deal.seller.id, reporterId },
      new Date(),
    )
  const publishAsDisputes = async (...events: readonly EventEnvelope[]) => {
    await publishAs('dispute-svc', messaging.database, ...events)
    await caughtUp()
  }
  const disputed = { status: 'disputed', version: null, waitsForBank: false }

  test('has the id of the dispute that a party filed, and of its end', async () => {
    const deal = new TestDeal()
    await happened(deal.paid())
    await publishAsDisputes(opened(deal, 401, deal.buyer.id))
    await happened(
      deal.event('transactionDisputed', { ...disputed, disputeId: 401, cause: 'filed' }),
      deal.event('transactionResumed', { clock: null }),
    )
    expect(await about(deal.seller)).toEqual([
      ['dispute', 'Dispute withdrawn', deal.id, 401],
      ['dispute', 'Dispute opened', deal.id, 401],
      ['transaction', 'Payment held', deal.id, null],
    ])
  })

  test('gets the id of a dispute that the system filed when it is known, and keeps it when there is a later one', async () => {
    const deal = new TestDeal()
    await happened(deal.event('transactionDisputed', { ...disputed, disputeId: null, cause: 'receive_by' }))
    expect(await about(deal.buyer)).toEqual([['dispute', 'Dispute opened', deal.id, null]])
    await publishAsDisputes(opened(deal, 402, null))
    await happened(deal.event('transactionDisputeEnded', { cause: 'confirmDelivery' }))
    await publishAsDisputes(opened(deal, 403, deal.buyer.id))
    expect(await about(deal.buyer)).toEqual([
      ['dispute', 'Dispute ended', deal.id, 402],
      ['dispute', 'Dispute opened', deal.id, 402],
    ])
    // The event of the earlier dispute is replayed.
    await publishAsDisputes(opened(deal, 402, null))
    await happened(deal.event('transactionResumed', { clock: null }))
    expect((await about(deal.buyer))[0]).toEqual(['dispute', 'Dispute withdrawn', deal.id, 403])
  })

  test('gets the id of a dispute that the system filed also when that comes before all events of its deal', async () => {
    const deal = new TestDeal()
    const at = new Date(Date.now() - 1000)
    await publishAsDisputes(opened(deal, 405, null))
    await happened(
      deal.event('transactionDisputed', { ...disputed, disputeId: null, cause: 'receive_by' }, { at }),
      deal.event('transactionDisputeEnded', { cause: 'confirmDelivery' }),
    )
    expect(await about(deal.buyer)).toEqual([
      ['dispute', 'Dispute ended', deal.id, 405],
      ['dispute', 'Dispute opened', deal.id, 405],
    ])
    // An earlier dispute is not taken for the new one.
    await happened(deal.event('transactionDisputed', { ...disputed, disputeId: null, cause: 'receive_by' }))
    expect((await about(deal.buyer))[0]).toEqual(['dispute', 'Dispute opened', deal.id, null])
    await publishAsDisputes(opened(deal, 406, null))
    expect((await about(deal.buyer))[0]).toEqual(['dispute', 'Dispute opened', deal.id, 406])
  })

  test('gets the id also when the events of the deal and of its dispute are handled at the same moment', async () => {
    const deals = Array.from({ length: 20 }, () => new TestDeal())
    const at = new Date(Date.now() - 1000)
    const server = messaging.running.app.get(EventsServer)
    const deliver = (event: EventEnvelope) => server.handle({ event, attempt: 1 })
    await Promise.all(
      deals.flatMap((deal, nth) => [
        deliver(deal.event('transactionDisputed', { ...disputed, disputeId: null, cause: 'receive_by' }, { at })),
        deliver(opened(deal, 500 + nth, null)),
      ]),
    )
    const ids = await Promise.all(deals.map(async deal => (await about(deal.buyer))[0]?.[3]))
    expect(ids).toEqual(deals.map((_, nth) => 500 + nth))
  })

  test('about a step of a case has the id of its dispute', async () => {
    const deal = new TestDeal()
    await happened(deal.paid())
    const parties = { buyerId: deal.buyer.id, sellerId: deal.seller.id, title: 'Camera' }
    const step = { step: 'ruled', by: 'mediator', turn: 'none' } as const
    const nothing = { refund: null, clock: null, dueAt: null, ruling: null }
    const payload = {
      disputeId: 404,
      transactionId: deal.id,
      currency: 'USD' as const,
      ...parties,
      ...step,
      ...nothing,
    }
    await publishAsDisputes(newEvent(EVENTS.disputeProgressed, 404, payload, new Date()))
    expect((await about(deal.buyer))[0]).toEqual(['dispute', 'Ruling of the mediator', deal.id, 404])
  })
})
