import { dealReviewed, type EventEnvelope, userBlocksChanged, userClosed } from '@holdfast/contracts/events'
import type { Notification } from '@holdfast/contracts/messages'
import { newEvent } from '@holdfast/events/outbox/event'
import { newId } from '@holdfast/kernel/ids'
import { isCaughtUp, publishAs } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { RunningMessaging, TestDeal } from '../../test/running-messaging.js'
import { Blocks1799786080000 } from '../migrations/1799786080000-blocks.js'

let messaging: RunningMessaging
beforeAll(async () => {
  messaging = await RunningMessaging.start()
})
afterAll(() => messaging.stop())

type UserActor = ReturnType<typeof userActor>
const REFUSED = { status: 403, body: { code: 'COUNTERPARTY_UNAVAILABLE' } }

/** The event of a change, as many seconds after the start of the tests. */
const START = Date.now()
function blockEvent(by: UserActor, others: readonly UserActor[], isBlocked: boolean, second = 0): EventEnvelope {
  const at = new Date(START + second * 1_000)
  const change = { userId: by.id, blockedIds: others.map(({ id }) => id), isBlocked, at: at.toISOString() }
  return newEvent(userBlocksChanged, by.id, change, at)
}
async function identityPublishes(...events: readonly EventEnvelope[]): Promise<void> {
  for (const event of events) {
    await publishAs('identity-svc', messaging.database, event)
    await eventually(() => isCaughtUp('messaging-svc', messaging.database))
  }
}
async function aDeal(...more: ((deal: TestDeal) => EventEnvelope)[]): Promise<TestDeal> {
  const deal = new TestDeal()
  await messaging.publish(deal.opened(), deal.paid(), ...more.map(event => event(deal)))
  await eventually(() => isCaughtUp('messaging-svc', messaging.database))
  return deal
}
const anEndedDeal = () => aDeal(deal => deal.completed())
const say = (deal: TestDeal, actor: UserActor, headers: Record<string, string> = {}) =>
  messaging.client.request('POST', deal.messagesPath, { actor, body: { content: 'Hello?' }, headers })
const notificationsOf = async (actor: UserActor) =>
  (await messaging.client.request<Notification[]>('GET', '/api/notifications', { actor })).body
const titlesOf = async (actor: UserActor) => (await notificationsOf(actor)).map(({ title }) => title)

describe('a blocked person', () => {
  test('cannot write in the chat of a deal that has ended, and the one who blocked them is not notified', async () => {
    const deal = await anEndedDeal()
    await identityPublishes(blockEvent(deal.seller, [deal.buyer], true))
    const answer = await say(deal, deal.buyer)
    expect(answer).toMatchObject(REFUSED)
    expect(JSON.stringify(answer.body)).not.toMatch(/block/i)
    expect(await titlesOf(deal.seller)).not.toContain('New message from the buyer')
    const chat = await messaging.client.request<{ senderId: string | null }[]>('GET', deal.messagesPath, {
      actor: deal.buyer,
    })
    expect(chat.body.filter(({ senderId }) => senderId !== null)).toEqual([])
  })

  test('cannot write after a cancelled deal whose end is its first event here', async () => {
    const deal = new TestDeal()
    const facts = { wasFunded: true, cause: 'refund' } as const
    await messaging.publish(deal.event('transactionCancelled', facts, { status: 'cancelled' }))
    await identityPublishes(blockEvent(deal.seller, [deal.buyer], true))
    expect(await say(deal, deal.buyer)).toMatchObject(REFUSED)
  })

  test('can write while the deal runs, also while it is disputed', async () => {
    const deal = await aDeal()
    await identityPublishes(blockEvent(deal.seller, [deal.buyer], true))
    expect((await say(deal, deal.buyer)).status).toBe(201)
    const disputed = { disputeId: 1, cause: 'filed', version: 3, waitsForBank: false } as const
    await messaging.publish(deal.event('transactionDisputed', disputed, { status: 'disputed' }))
    await eventually(() => isCaughtUp('messaging-svc', messaging.database))
    expect((await say(deal, deal.buyer)).status).toBe(201)
  })

  test('gets the answer to a message that was posted before the block again', async () => {
    const deal = await anEndedDeal()
    const key = { 'idempotency-key': newId() }
    expect((await say(deal, deal.buyer, key)).status).toBe(201)
    await identityPublishes(blockEvent(deal.seller, [deal.buyer], true))
    expect((await say(deal, deal.buyer, key)).status).toBe(201)
    expect(await say(deal, deal.buyer)).toMatchObject(REFUSED)
  })

  test('is refused nothing in the other direction, nor in the chats of others', async () => {
    const [deal, other] = [await anEndedDeal(), await anEndedDeal()]
    await identityPublishes(blockEvent(deal.seller, [deal.buyer], true))
    expect((await say(deal, deal.seller)).status).toBe(201)
    expect((await say(other, other.buyer)).status).toBe(201)
  })

  test('can still review the deal, and the one who blocked them is not notified of it', async () => {
    const deal = await anEndedDeal()
    const review = (authorRole: 'buyer' | 'seller') => {
      const subjectId = authorRole === 'buyer' ? deal.seller.id : deal.buyer.id
      const parties = { buyerId: deal.buyer.id, sellerId: deal.seller.id, subjectId, authorRole }
      const facts = { transactionId: deal.id, title: 'Camera', ...parties, rating: 1, at: new Date().toISOString() }
      return newEvent(dealReviewed, deal.id, facts, new Date())
    }
    await identityPublishes(blockEvent(deal.seller, [deal.buyer], true))
    await messaging.publish(review('buyer'), review('seller'))
    await eventually(async () => (await titlesOf(deal.buyer)).includes('New review'))
    await eventually(() => isCaughtUp('messaging-svc', messaging.database))
    expect(await titlesOf(deal.seller)).not.toContain('New review')
  })
})

test('a deal that had ended before this was kept is known to have ended', async () => {
  const cancelled = (deal: TestDeal) =>
    deal.event('transactionCancelled', { wasFunded: true, cause: 'refund' }, { status: 'cancelled' })
  const deals = [await anEndedDeal(), await aDeal(cancelled), await aDeal()]
  const query = (sql: string) => messaging.database.admin.query(`SET search_path TO messaging; ${sql}`)
  const migration = new Blocks1799786080000()
  await migration.down({ query } as never)
  await migration.up({ query } as never)
  await query('RESET search_path; GRANT ALL ON messaging.block TO messaging_svc')
  const ended = 'SELECT ended FROM messaging.deals WHERE transaction_id = ANY($1) ORDER BY transaction_id'
  const { rows } = await messaging.database.admin.query(ended, [deals.map(({ id }) => id)])
  expect(rows.map(row => row.ended)).toEqual([true, true, false])
})

describe('a block', () => {
  test('that has ended refuses nothing, also when its event is replayed after that of its end', async () => {
    const deal = await anEndedDeal()
    const made = blockEvent(deal.seller, [deal.buyer, userActor()], true, 1)
    const ended = blockEvent(deal.seller, [deal.buyer], false, 2)
    await identityPublishes(made, ended, made, blockEvent(deal.seller, [deal.buyer], true, 1))
    expect((await say(deal, deal.buyer)).status).toBe(201)
    await identityPublishes(blockEvent(deal.seller, [deal.buyer], true, 3))
    expect(await say(deal, deal.buyer)).toMatchObject(REFUSED)
  })

  test('is kept no longer than the accounts of both, also when its event is replayed after a closing', async () => {
    const rowsOf = async ({ id }: UserActor) =>
      (await messaging.database.admin.query('SELECT FROM messaging.block WHERE $1 IN (blocker_id, blocked_id)', [id]))
        .rowCount
    const [closed, other] = [userActor(), userActor()]
    const [own, others] = [blockEvent(closed, [other], true), blockEvent(other, [closed], true)]
    await identityPublishes(own, others)
    expect(await rowsOf(closed)).toBe(2)
    const closing = { userId: closed.id, closingId: newId(), at: new Date().toISOString() }
    await identityPublishes(newEvent(userClosed, closed.id, closing, new Date()))
    expect(await rowsOf(closed)).toBe(0)
    await identityPublishes(blockEvent(closed, [other], true), blockEvent(other, [closed], true))
    expect(await rowsOf(closed)).toBe(0)
  })
})
