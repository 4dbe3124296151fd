import { randomBytes } from 'node:crypto'
import type { Message } from '@holdfast/contracts/messages'
import { KeyRing } from '@holdfast/encryption/key-ring'
import { newId } from '@holdfast/kernel/ids'
import { userActor } from '@holdfast/testing/signed-client'
import { DataSource } from 'typeorm'
import { MASTER_KEY, RunningMessaging, TestDeal } from '../../test/running-messaging.js'
import { DealKeys } from '../deals/deal-keys.js'
import { PassOnJob } from '../notifications/pass-on-job.js'
import { SealingJob } from './sealing-job.js'

let messaging: RunningMessaging
beforeAll(async () => {
  messaging = await RunningMessaging.start()
})
afterAll(() => messaging.stop())

const SECRET = 'The door code is 4711'
const TABLES = `SELECT table_schema || '.' || table_name AS name FROM information_schema.tables WHERE table_schema IN ('messaging', 'events')`

/** A deal that has arrived here. */
async function openDeal(): Promise<TestDeal> {
  const deal = new TestDeal()
  await messaging.publish(deal.opened())
  expect((await list(deal)).status).toBe(200)
  return deal
}

const list = (deal: TestDeal, actor = deal.seller) =>
  messaging.client.request<Message[]>('GET', deal.messagesPath, { actor })
const post = (deal: TestDeal, content: string, headers: Record<string, string> = {}) =>
  messaging.client.request<Message>('POST', deal.messagesPath, { actor: deal.buyer, body: { content }, headers })
const said = async (deal: TestDeal) =>
  (await list(deal)).body.filter(({ isSystem }) => !isSystem).map(({ content }) => content)

/** The tables in which a text stands, also as bytes or in JSON. */
async function tablesWith(text: string): Promise<string[]> {
  const { admin } = messaging.database
  const { rows } = await admin.query<{ name: string }>(TABLES)
  const found: string[] = []
  for (const { name } of rows) {
    const { rows: hits } = await admin.query(
      `SELECT 1 FROM ${name} t WHERE position($1 IN t::text) > 0 OR position($2 IN t::text) > 0 LIMIT 1`,
      [text, Buffer.from(text).toString('hex')],
    )
    if (hits.length > 0) found.push(name)
  }
  return found.sort()
}

/** A message as the release before wrote it, with its notification. */
async function writePlain(deal: TestDeal, content: string): Promise<void> {
  const { admin } = messaging.database
  await admin.query(
    'INSERT INTO messaging.messages (id, transaction_id, sender_id, content, created_at) VALUES ($1, $2, $3, $4, now())',
    [newId(), deal.id, deal.buyer.id, content],
  )
  await admin.query(
    `INSERT INTO messaging.notifications (id, user_id, type, title, message, transaction_id, created_at)
     VALUES ($1, $2, 'message', 'New message', $3, $4, now())`,
    [newId(), deal.seller.id, `Camera: ${content}`, deal.id],
  )
}

test('a message is read by the parties, listed, and in no table as text', async () => {
  const deal = await openDeal()
  const key = { 'idempotency-key': newId() }
  const first = await post(deal, SECRET, key)
  expect(first.body.content).toBe(SECRET)
  expect((await post(deal, SECRET, key)).body).toEqual(first.body)
  expect(await said(deal)).toEqual([SECRET])
  const { body: conversations } = await messaging.client.request('POST', '/internal/conversations', {
    actor: deal.seller,
    body: { limit: 10, unread: false },
  })
  expect(conversations).toMatchObject([{ transactionId: deal.id, lastMessage: { content: SECRET } }])
  expect(await tablesWith(first.body.id)).toEqual(expect.arrayContaining(['messaging.messages', 'events.log']))
  expect(await tablesWith(SECRET)).toEqual([])
})

test('equal messages are different bytes, and a message opens in its own row and deal only', async () => {
  const [deal, other] = [await openDeal(), await openDeal()]
  await post(deal, 'yes')
  await post(deal, 'yes')
  await post(other, 'no')
  const { admin } = messaging.database
  const { rows } = await admin.query<{ id: string; sealed: Buffer }>(
    'SELECT id, sealed FROM messaging.messages WHERE transaction_id = $1 AND sealed IS NOT NULL ORDER BY sequence',
    [deal.id],
  )
  expect(rows).toHaveLength(2)
  expect(rows[0]!.sealed).not.toEqual(rows[1]!.sealed)
  const copy = 'UPDATE messaging.messages SET sealed = $2 WHERE transaction_id = $1 AND sealed IS NOT NULL'
  await admin.query(copy, [other.id, rows[0]!.sealed])
  expect((await list(other)).status).toBe(500)
  await admin.query(copy, [deal.id, rows[0]!.sealed])
  expect((await list(deal)).status).toBe(500)
})

test('what an earlier release wrote is read, then encrypted, and its notification loses the words', async () => {
  const [deal, mixed] = [await openDeal(), await openDeal()]
  await writePlain(deal, SECRET)
  await writePlain(mixed, 'before')
  await post(mixed, 'after')
  expect([await said(deal), await said(mixed)]).toEqual([[SECRET], ['before', 'after']])
  // It is old enough to be mailed. With its words it is not.
  await messaging.database.admin.query(`UPDATE messaging.notifications SET created_at = now() - interval '1 hour'`)
  await messaging.running.app.get(PassOnJob, { strict: false }).run()
  expect(await tablesWith(SECRET)).toEqual(['messaging.messages', 'messaging.notifications'])
  await messaging.running.app.get(SealingJob, { strict: false }).run()
  expect(await tablesWith(SECRET)).toEqual([])
  expect([await said(deal), await said(mixed)]).toEqual([[SECRET], ['before', 'after']])
})

test('two first messages at the same time are encrypted with the same key', async () => {
  const deal = await openDeal()
  const answers = await Promise.all(['a', 'b', 'c', 'd'].map(content => post(deal, content)))
  for (const { status } of answers) expect(status).toBe(201)
  expect((await said(deal)).sort()).toEqual(['a', 'b', 'c', 'd'])
  expect((await list(deal, userActor())).status).toBe(404)
})

// The last test: the running service does not have the new master key.
test('the keys of all deals are wrapped again after a rotation, and then the old master key is not needed', async () => {
  const deal = await openDeal()
  await post(deal, SECRET)
  const { admin } = messaging.database
  const stored = async () =>
    (
      await admin.query<{ keyId: string; wrappedKey: Buffer }>(
        'SELECT key_id AS "keyId", wrapped_key AS "wrappedKey" FROM messaging.deals WHERE transaction_id = $1',
        [deal.id],
      )
    ).rows[0]!
  const before = await stored()
  expect(before.keyId).toBe('2026-01')
  const added = `2026-07:${randomBytes(32).toString('base64url')}`
  const both = new DealKeys({ ENCRYPTION_KEYS: KeyRing.parse(`${added},${MASTER_KEY}`) })
  const dataSource = messaging.running.app.get(DataSource)
  await new SealingJob(dataSource, both).run()
  expect(await both.rewrapSome(dataSource, 500)).toBe(0)
  const after = await stored()
  expect(after.keyId).toBe('2026-07')
  const withNew = new DealKeys({ ENCRYPTION_KEYS: KeyRing.parse(added) })
  const withOld = new DealKeys({ ENCRYPTION_KEYS: KeyRing.parse(MASTER_KEY) })
  const of = (key: typeof before) => ({ transactionId: deal.id, ...key })
  expect(withNew.open(of(after)).export()).toEqual(withOld.open(of(before)).export())
  expect(() => withOld.open(of(after))).toThrow('2026-07')
})
