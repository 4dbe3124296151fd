import { setTimeout as sleep } from 'node:timers/promises'
import type { Message } from '@holdfast/contracts/messages'
import { newId } from '@holdfast/kernel/ids'
import { MAX_MESSAGES_PER_PARTY } from '@holdfast/kernel/messages'
import { eventually } from '@holdfast/testing/eventually'
import { type SignedAnswer, userActor } from '@holdfast/testing/signed-client'
import { untilServed } from '@holdfast/testing/until-served'
import { RunningMessaging, TestDeal } from '../../test/running-messaging.js'
import { MAX_WAITING } from '../deals/deals.service.js'
import { MESSAGES_PER_USER } from './posting-limit.js'

let messaging: RunningMessaging
beforeAll(async () => {
  messaging = await RunningMessaging.start()
})
afterAll(() => messaging.stop())

type Actor = ReturnType<typeof userActor> | null

const list = (deal: TestDeal, actor: Actor, query = '') =>
  messaging.client.request<Message[]>('GET', deal.messagesPath + query, { actor })
const post = (deal: TestDeal, actor: Actor, body: unknown, headers: Record<string, string> = {}) =>
  messaging.client.request<Message>('POST', deal.messagesPath, { actor, body, headers })

async function openDeal(): Promise<TestDeal> {
  const deal = new TestDeal()
  await messaging.publish(deal.opened())
  return deal
}

describe('the chat of a deal', () => {
  test('shows the messages of both parties to both, oldest first', async () => {
    const deal = await openDeal()
    const question = await post(deal, deal.buyer, { content: ' Still there? ' })
    expect(question).toMatchObject({
      status: 201,
      body: { transactionId: deal.id, senderId: deal.buyer.id, content: 'Still there?', isSystem: false },
    })
    await post(deal, deal.seller, { content: 'Yes.' })
    for (const actor of [deal.buyer, deal.seller]) {
      const { status, body } = await list(deal, actor)
      expect(status).toBe(200)
      expect(body.map(message => message.content)).toEqual([expect.any(String), 'Still there?', 'Yes.'])
      expect(body[1]).toEqual(question.body)
    }
  })

  test('takes the sender from the session, not from the body', async () => {
    const deal = await openDeal()
    const claim = { content: 'Pay me elsewhere', senderId: deal.seller.id, isSystem: true, transactionId: 999_999 }
    const answer = await post(deal, deal.buyer, claim)
    expect(answer.body).toMatchObject({ senderId: deal.buyer.id, isSystem: false, transactionId: deal.id })
  })

  test('accepts the body of the spec, with the sender’s id and isSystem false', async () => {
    const deal = await openDeal()
    const body = { transactionId: deal.id, senderId: deal.buyer.id, content: 'Hi', isSystem: false }
    expect((await post(deal, deal.buyer, body)).status).toBe(201)
  })

  test('gets a message once when somebody in our network sends the signed request of it again', async () => {
    const deal = await openDeal()
    const signed = messaging.client.signed('POST', deal.messagesPath, { actor: deal.buyer, body: { content: 'Hi' } })
    const answers = await Promise.all(
      [1, 2, 3].map(async () => (await fetch(signed.clone())).json() as Promise<Message>),
    )
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    await post(deal, deal.buyer, { content: 'Hi' })
    const { body } = await list(deal, deal.seller)
    expect(body.filter(({ isSystem }) => !isSystem).map(({ content }) => content)).toEqual(['Hi', 'Hi'])
  })

  test('returns the newest messages when there are more than the limit', async () => {
    const deal = await openDeal()
    for (const content of ['1', '2', '3']) await post(deal, deal.buyer, { content })
    const { body } = await list(deal, deal.seller, '?limit=2')
    expect(body.map(message => message.content)).toEqual(['2', '3'])
  })

  test('of 5,000 messages is read to its first one, each once and in order', async () => {
    const deal = await openDeal()
    expect((await list(deal, deal.buyer)).status).toBe(200)
    await messaging.database.admin.query(
      `INSERT INTO messaging.messages (id, transaction_id, sender_id, content, created_at)
       SELECT uuidv7(), $1, $2, n::text, now() + n * interval '1 millisecond' FROM generate_series(1, 5000) n`,
      [deal.id, deal.buyer.id],
    )
    const said: string[] = []
    let path: string | undefined = `${deal.messagesPath}?limit=100`
    while (path !== undefined) {
      const page: SignedAnswer<Message[]> = await messaging.client.request('GET', path, { actor: deal.seller })
      expect(page.status).toBe(200)
      said.unshift(...page.body.filter(({ isSystem }) => !isSystem).map(({ content }) => content))
      path = /^<([^>]*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]
    }
    expect(said).toEqual(Array.from({ length: 5000 }, (_, n) => String(n + 1)))
  })

  test('can be read page by page to its first message, while new ones are posted', async () => {
    const deal = await openDeal()
    const said = ['1', '2', '3', '4', '5', '6']
    for (const content of said) await post(deal, deal.buyer, { content })
    const pages: string[][] = []
    let path: string | undefined = `${deal.messagesPath}?limit=3`
    while (path !== undefined) {
      const page: SignedAnswer<Message[]> = await messaging.client.request('GET', path, { actor: deal.seller })
      expect(page.status).toBe(200)
      pages.push(page.body.map(({ content, isSystem }) => (isSystem ? 'system' : content)))
      path = /^<(\/api\/transactions\/\d+\/messages\?[^>]*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]
      await post(deal, deal.buyer, { content: 'late' })
    }
    expect(pages).toEqual([['4', '5', '6'], ['1', '2', '3'], ['system']])
  })

  test('pages through messages of the same moment without skipping or repeating any', async () => {
    const deal = await openDeal()
    await list(deal, deal.buyer)
    await messaging.database.admin.query(
      `INSERT INTO messaging.messages (id, transaction_id, content, created_at)
       SELECT id, $1, n, '2030-01-01T00:00:00.123456Z' FROM unnest($2::uuid[]) WITH ORDINALITY AS message(id, n)`,
      [deal.id, Array.from({ length: 5 }, () => newId()).reverse()],
    )
    const newest = (await list(deal, deal.buyer, '?limit=2')).body
    const older = (await list(deal, deal.buyer, `?limit=2&before=${newest[0]!.id}`)).body
    expect([...older, ...newest].map(({ content }) => content)).toEqual(['2', '3', '4', '5'])
  })

  test('has no link on its last page, also when that page is full', async () => {
    const deal = await openDeal()
    await post(deal, deal.buyer, { content: 'Hi' })
    expect((await list(deal, deal.buyer, '?limit=2')).headers.get('link')).toBeNull()
    expect((await list(deal, deal.buyer, '?limit=1')).headers.get('link')).toContain(deal.messagesPath)
  })

  test('refuses a `before` that is not a message of this chat, and names the field', async () => {
    const [deal, other] = [await openDeal(), await openDeal()]
    const [foreign] = (await list(other, other.buyer)).body
    for (const before of ['7', 'x', '', newId(), foreign!.id]) {
      const answer = await list(deal, deal.buyer, `?before=${before}`)
      expect(answer).toMatchObject({ status: 400, body: { details: { fields: { before: expect.any(String) } } } })
    }
    const [own] = (await list(deal, deal.buyer)).body
    expect(await list(deal, userActor(), `?before=${own!.id}`)).toMatchObject({ status: 404 })
    expect(await list(deal, null, `?before=${own!.id}`)).toMatchObject({ status: 401 })
  })

  test.each(['?limit=0', '?limit=101', '?limit=x'])('refuses %s, and names the field', async query => {
    const deal = await openDeal()
    const answer = await list(deal, deal.buyer, query)
    expect(answer).toMatchObject({ status: 400, body: { details: { fields: { limit: expect.any(String) } } } })
  })

  test.each([
    [undefined, 'Write a message first'],
    ['   ', 'Write a message first'],
    ['\u0007\u202E', 'Write a message first'],
    ['x'.repeat(4001), 'At most 4000 characters'],
    ['a\u0000b', 'Must not contain such characters'],
    [{ text: 'a' }, 'Write a message first'],
  ])('refuses the message %j, and names the field', async (content, message) => {
    const deal = await openDeal()
    const answer = await post(deal, deal.buyer, { content })
    expect(answer).toMatchObject({ status: 400, body: { details: { fields: { content: message } } } })
  })

  test('stores a message as plain text', async () => {
    const deal = await openDeal()
    const content = `<img src=x onerror=alert(1)> '; DROP TABLE messages; -- \${x} 👩‍👩‍👧`
    expect((await post(deal, deal.buyer, { content })).body.content).toBe(content)
  })

  test('is not found by a user or admin who is not a party', async () => {
    const deal = await openDeal()
    await list(deal, deal.buyer)
    for (const actor of [userActor(), { ...userActor(), role: 'admin' as const }]) {
      const notFound = { status: 404, body: { code: 'TRANSACTION_NOT_FOUND', message: 'Transaction not found' } }
      expect(await list(deal, actor)).toMatchObject(notFound)
      expect(await post(deal, actor, { content: 'Hi' })).toMatchObject(notFound)
    }
  })

  test('refuses visitors', async () => {
    const deal = await openDeal()
    expect(await list(deal, null)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } })
    expect(await post(deal, null, { content: 'Hi' })).toMatchObject({ status: 401 })
  })

  test.each(['0', '-1', '1.5', 'abc', '1e3', '99999999999999999999'])('is not found under the id %s', async id => {
    const answer = await messaging.client.request('GET', `/api/transactions/${id}/messages`, { actor: userActor() })
    expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  })
})

describe('a new deal', () => {
  test('has its chat at once, because the request waits for the event', async () => {
    const deal = new TestDeal()
    const asked = list(deal, deal.buyer)
    await sleep(300)
    await messaging.publish(deal.opened())
    expect((await asked).status).toBe(200)
  })

  test('can be awaited by a few requests of one user at a time, so that others can also wait', async () => {
    const nosy = userActor()
    const asked = Promise.all(Array.from({ length: MAX_WAITING + 1 }, () => list(new TestDeal(), nosy)))
    await sleep(200)
    expect((await list(new TestDeal(), userActor())).status).toBe(404)
    const answers = await asked
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404, 429]))
    expect((await list(new TestDeal(), nosy)).status).toBe(404)
  })

  test('is not found when its event does not arrive within a second', async () => {
    const start = performance.now()
    expect((await list(new TestDeal(), userActor())).status).toBe(404)
    const ms = performance.now() - start
    expect(ms).toBeGreaterThan(900)
    expect(ms).toBeLessThan(10_000)
  })
})

describe('posting twice', () => {
  test('with one idempotency key posts once and gets the same answer', async () => {
    const deal = await openDeal()
    const key = { 'idempotency-key': newId() }
    const [first, second] = await Promise.all([
      post(deal, deal.buyer, { content: 'Hi' }, key),
      post(deal, deal.buyer, { content: 'Hi' }, key),
    ])
    expect(first.status).toBe(201)
    expect(second).toMatchObject({ status: 201, body: first.body as object })
    const { body } = await list(deal, deal.buyer)
    expect(body.filter(message => message.senderId !== null)).toHaveLength(1)
  })

  test('with one idempotency key and another text is refused', async () => {
    const deal = await openDeal()
    const key = { 'idempotency-key': newId() }
    await post(deal, deal.buyer, { content: 'Hi' }, key)
    expect(await post(deal, deal.buyer, { content: 'Ho' }, key)).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    })
    // Keys belong to a user: the same key of another user is independent.
    expect((await post(deal, deal.seller, { content: 'Ho' }, key)).status).toBe(201)
  })
})

describe('the limit on posting', () => {
  test('refuses further messages only of the user who reached it', async () => {
    const deal = await openDeal()
    await list(deal, deal.buyer)
    for (let i = 0; i < MESSAGES_PER_USER.attempts; i += 10) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => post(deal, deal.buyer, { content: 'Hi' })))
      for (const answer of answers) expect(answer.status).toBe(201)
    }
    const refused = await post(deal, deal.buyer, { content: 'Hi' })
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await post(deal, deal.seller, { content: 'Hi' })).status).toBe(201)
  })

  test('refuses in one chat a party who has written very many, so that a mediator can read the whole chat', async () => {
    const deal = await openDeal()
    await list(deal, deal.buyer)
    await messaging.database.admin.query(
      `INSERT INTO messaging.messages (id, transaction_id, sender_id, content, created_at)
       SELECT uuidv7(), $1, $2, n::text, now() FROM generate_series(2, $3::int) n`,
      [deal.id, deal.buyer.id, MAX_MESSAGES_PER_PARTY],
    )
    const key = { 'idempotency-key': newId() }
    const last = await post(deal, deal.buyer, { content: 'The last' }, key)
    expect(last.status).toBe(201)
    const words = `You have written ${MAX_MESSAGES_PER_PARTY} messages about this transaction. More are not possible.`
    const full = { status: 429, body: { code: 'RATE_LIMITED', message: words } }
    expect(await post(deal, deal.buyer, { content: 'One more' })).toMatchObject(full)
    expect(await post(deal, deal.buyer, { content: 'The last' }, key)).toMatchObject({ status: 201, body: last.body })
    expect((await post(deal, deal.seller, { content: 'Hi' })).status).toBe(201)
  })

  test('neither refuses nor counts a repeated request with the same idempotency key', async () => {
    const deal = await openDeal()
    const key = { 'idempotency-key': newId() }
    const send = () => post(deal, deal.buyer, { content: 'Hi' }, key)
    // Two that arrive at the same moment both begin.
    const [first] = await Promise.all([send(), send()])
    const repeated = await send()
    const others = Array.from({ length: MESSAGES_PER_USER.attempts - 1 }, () => {
      const otherKey = { 'idempotency-key': newId() }
      return untilServed(() => post(deal, deal.buyer, { content: 'Hi' }, otherKey))
    })
    for (const answer of await Promise.all(others)) expect(answer.status).toBe(201)
    expect((await post(deal, deal.buyer, { content: 'Hi' })).status).toBe(429)
    expect([repeated, await post(deal, deal.buyer, { content: 'Hi' }, key)]).toMatchObject([
      { status: 201, body: first.body },
      { status: 201, body: first.body },
    ])
  })
})

describe('a posted message', () => {
  test('is published to the other services without its text', async () => {
    const deal = await openDeal()
    const { body } = await post(deal, deal.buyer, { content: 'A secret between us' })
    const payload = await eventually(async () => {
      const { rows } = await messaging.database.admin.query<{ payload: object }>(
        `SELECT payload FROM events.log WHERE type = 'messaging.message.posted.v1' AND payload ->> 'messageId' = $1`,
        [body.id],
      )
      return rows[0]?.payload
    })
    const { id: messageId, transactionId, senderId } = body
    expect(payload).toEqual({ messageId, transactionId, senderId, buyerId: deal.buyer.id, sellerId: deal.seller.id })
  })
})
