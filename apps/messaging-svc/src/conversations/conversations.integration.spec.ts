import type { Message, messageInternalRoutes, Notification } from '@holdfast/contracts/messages'
import type { Output } from '@holdfast/contracts/route'
import { newId } from '@holdfast/kernel/ids'
import { MAX_UNREAD_SHOWN } from '@holdfast/kernel/messages'
import { userActor } from '@holdfast/testing/signed-client'
import { RunningMessaging, TestDeal } from '../../test/running-messaging.js'

type Records = Output<typeof messageInternalRoutes.listConversationRecords>
type Actor = ReturnType<typeof userActor>

let messaging: RunningMessaging
beforeAll(async () => {
  messaging = await RunningMessaging.start()
})
afterAll(() => messaging.stop())

async function openDeal(parties: Partial<Pick<TestDeal, 'buyer' | 'seller'>> = {}): Promise<TestDeal> {
  const deal = Object.assign(new TestDeal(), parties)
  await messaging.publish(deal.opened())
  return deal
}
async function say(deal: TestDeal, actor: Actor, content: string): Promise<Message> {
  return (await messaging.client.request<Message>('POST', deal.messagesPath, { actor, body: { content } })).body
}
const list = async (actor: Actor, more: object = {}) =>
  (
    await messaging.client.request<Records>('POST', '/internal/conversations', {
      actor,
      body: { limit: 50, unread: false, ...more },
    })
  ).body
const read = (deal: TestDeal, actor: Actor, upTo: string) =>
  messaging.client.request('PUT', `${deal.messagesPath}/read`, { actor, body: { upTo } })
const readAll = (actor: Actor) => messaging.client.request('POST', '/api/conversations/read', { actor })
const unreadOf = async (actor: Actor) => (await list(actor)).map(({ unread }) => unread)
const unreadBell = async (actor: Actor) =>
  (await messaging.client.request<Notification[]>('GET', '/api/notifications', { actor })).body.filter(
    ({ type, read }) => type === 'message' && !read,
  ).length

describe('the conversations of a user', () => {
  test('are the chats in which somebody has written, the latest message first, with what the other side wrote unread', async () => {
    const me = userActor()
    const [bought, sold, silent] = [
      await openDeal({ buyer: me }),
      await openDeal({ seller: me }),
      await openDeal({ buyer: me }),
    ]
    await say(bought, bought.seller, 'Hello')
    await say(bought, bought.seller, 'Anybody there?')
    await say(sold, me, 'It is packed.')
    expect(await list(me)).toMatchObject([
      {
        transactionId: sold.id,
        otherId: sold.buyer.id,
        lastMessage: { senderId: me.id, content: 'It is packed.' },
        unread: 0,
      },
      {
        transactionId: bought.id,
        title: 'Camera',
        otherId: bought.seller.id,
        lastMessage: { content: 'Anybody there?' },
        unread: 2,
      },
    ])
    expect(await list(sold.buyer)).toMatchObject([{ unread: 1 }])
    expect(await list(silent.seller)).toEqual([])
    expect(await list(userActor())).toEqual([])
  })

  test('are read up to a message, never back, and only by a party; the bell agrees', async () => {
    const deal = await openDeal()
    const [first, second] = [await say(deal, deal.seller, '1'), await say(deal, deal.seller, '2')]
    expect([await unreadOf(deal.buyer), await unreadBell(deal.buyer)]).toEqual([[2], 1])
    await read(deal, deal.buyer, second.id)
    expect([await unreadOf(deal.buyer), await unreadBell(deal.buyer)]).toEqual([[0], 0])
    await read(deal, deal.buyer, first.id)
    expect(await unreadOf(deal.buyer)).toEqual([0])
    await say(deal, deal.seller, '3')
    expect(await unreadOf(deal.buyer)).toEqual([1])
    expect((await read(deal, userActor(), second.id)).status).toBe(404)
    const other = await openDeal({ buyer: deal.buyer })
    const foreign = await say(other, other.seller, 'x')
    await read(deal, deal.buyer, foreign.id)
    await read(deal, deal.buyer, newId())
    expect((await list(deal.buyer)).map(({ unread }) => unread)).toEqual([1, 1])
    expect(
      await messaging.client.request('PUT', `${deal.messagesPath}/read`, { actor: deal.buyer, body: { upTo: 'x' } }),
    ).toMatchObject({
      status: 400,
      body: { details: { fields: { upTo: expect.any(String) } } },
    })
  })

  test('stay read up to the later message when two tabs say so at the same moment, in whichever order', async () => {
    const deal = await openDeal()
    for (let round = 0; round < 10; round++) {
      const messages = [await say(deal, deal.seller, 'a'), await say(deal, deal.seller, 'b')]
      if (round % 2) messages.reverse()
      const answers = await Promise.all([...messages, ...messages].map(({ id }) => read(deal, deal.buyer, id)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
      expect([await unreadOf(deal.buyer), await unreadBell(deal.buyer)]).toEqual([[0], 0])
    }
  })

  test('stay in the bell while a later message is unread', async () => {
    const deal = await openDeal()
    const [first, second] = [await say(deal, deal.seller, '1'), await say(deal, deal.seller, '2')]
    await read(deal, deal.buyer, first.id)
    expect([await unreadOf(deal.buyer), await unreadBell(deal.buyer)]).toEqual([[1], 1])
    await read(deal, deal.buyer, newId())
    expect(await unreadBell(deal.buyer)).toBe(1)
    // A later message of their own is not unread.
    await say(deal, deal.buyer, 'mine')
    await read(deal, deal.buyer, second.id)
    expect(await unreadBell(deal.buyer)).toBe(0)
  })

  test('are read as they are shown, also when two people wrote at the same moment and the order of rows is another', async () => {
    const deal = await openDeal()
    const own = await say(deal, deal.buyer, 'mine, shown last')
    const other = await say(deal, deal.seller, 'theirs, shown first')
    await messaging.database.admin.query(
      `UPDATE messaging.messages SET created_at = created_at - interval '1 minute' WHERE id = $1`,
      [other.id],
    )
    await read(deal, deal.buyer, own.id)
    expect([await unreadOf(deal.buyer), await unreadBell(deal.buyer)]).toEqual([[0], 0])
  })

  test('are all read at once, and only those of the user', async () => {
    const me = userActor()
    const deals = [await openDeal({ buyer: me }), await openDeal({ seller: me })]
    await say(deals[0]!, deals[0]!.seller, 'Hello')
    await say(deals[1]!, deals[1]!.buyer, 'Hello')
    await say(deals[1]!, me, 'Hello to you')
    expect((await list(me, { unread: true })).length).toBe(2)
    expect((await readAll(me)).status).toBe(204)
    expect([await list(me, { unread: true }), await unreadBell(me)]).toEqual([[], 0])
    expect(await unreadOf(deals[1]!.buyer)).toEqual([1])
  })

  test('are found by a part of the title, or by people whom the gateway names', async () => {
    const me = userActor()
    const deals = [await openDeal({ buyer: me }), await openDeal({ buyer: me })]
    for (const deal of deals) await say(deal, deal.seller, 'Hello')
    await messaging.database.admin.query(`UPDATE messaging.deals SET title = 'Oak % chair' WHERE transaction_id = $1`, [
      deals[0]!.id,
    ])
    const found = async (text: string, ...others: string[]) =>
      (await list(me, { search: { text, others } })).map(({ transactionId }) => transactionId)
    expect(await found('OAK %')).toEqual([deals[0]!.id])
    expect(await found('nothing', deals[1]!.seller.id)).toEqual([deals[1]!.id])
    expect(await found('nothing')).toEqual([])
    const people = await messaging.client.request('GET', '/internal/conversations/counterparties', { actor: me })
    expect(people.body).toEqual([deals[1]!.seller.id, deals[0]!.seller.id])
  })

  test('end when the deal is cancelled before it was paid', async () => {
    const deal = await openDeal()
    await say(deal, deal.seller, 'Hello')
    const listed = async () => [await list(deal.buyer), await list(deal.seller)].map(({ length }) => length)
    expect(await listed()).toEqual([1, 1])
    await messaging.database.admin.query('UPDATE messaging.deals SET hidden = true WHERE transaction_id = $1', [
      deal.id,
    ])
    expect(await listed()).toEqual([0, 0])
  })

  test('are paged without skipping or repeating, and 2,000 of them with long chats are listed fast, from indexes', async () => {
    const me = userActor()
    const { admin } = messaging.database
    await admin.query(
      `INSERT INTO messaging.deals (transaction_id, buyer_id, seller_id, title, hidden)
       SELECT 1000000 + n, $1, seller, 'Item ' || n, false FROM unnest($2::uuid[]) WITH ORDINALITY AS s(seller, n)`,
      [me.id, Array.from({ length: 2_000 }, () => newId())],
    )
    await admin.query(
      `INSERT INTO messaging.messages (id, transaction_id, sender_id, content, created_at)
       SELECT gen_random_uuid(), transaction_id, CASE WHEN m % 3 = 0 THEN NULL ELSE seller_id END, 'm' || m, now()
       FROM generate_series(1, 30) m CROSS JOIN messaging.deals WHERE buyer_id = $1`,
      [me.id],
    )
    await admin.query('ANALYZE messaging.messages, messaging.deals')
    const began = performance.now()
    const first = await list(me)
    expect(performance.now() - began).toBeLessThan(1_000)
    expect(first.every(({ unread }) => unread === 20)).toBe(true)
    const seen = new Set(first.map(({ transactionId }) => transactionId))
    for (let page = first; page.length === 50; ) {
      page = await list(me, { before: page.at(-1)!.position })
      for (const { transactionId } of page) {
        expect(seen.has(transactionId)).toBe(false)
        seen.add(transactionId)
      }
    }
    expect(seen.size).toBe(2_000)
    await admin.query(
      `INSERT INTO messaging.messages (id, transaction_id, sender_id, content, created_at)
       SELECT gen_random_uuid(), transaction_id, seller_id, 'again', now()
       FROM messaging.deals CROSS JOIN generate_series(1, 200) WHERE transaction_id = 1000001`,
    )
    expect((await list(me))[0]).toMatchObject({ transactionId: 1_000_001, unread: MAX_UNREAD_SHOWN })
  })
})

test('what was written before there were marks counts as read', async () => {
  const deal = await openDeal()
  await say(deal, deal.seller, 'Hello')
  const { admin } = messaging.database
  await admin.query('DELETE FROM messaging.read_marks')
  // The statement of the migration.
  await admin.query(
    `INSERT INTO messaging.read_marks (user_id, transaction_id, sequence)
     SELECT party, transaction_id, last FROM (
       SELECT transaction_id, max(sequence) AS last FROM messaging.messages WHERE sender_id IS NOT NULL GROUP BY transaction_id
     ) m JOIN messaging.deals d USING (transaction_id) CROSS JOIN LATERAL unnest(ARRAY[d.buyer_id, d.seller_id]) AS party`,
  )
  expect(await unreadOf(deal.buyer)).toEqual([0])
})
