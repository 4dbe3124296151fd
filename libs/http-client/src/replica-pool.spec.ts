import { setTimeout as sleep } from 'node:timers/promises'
import { eventuallyPasses } from '@holdfast/testing/eventually'
import { behindOneAddress, FakeReplica } from '@holdfast/testing/hanging-replicas'
import type { Dispatcher } from 'undici'
import { HANGS_AFTER_MS, SUSPECT_AFTER_MS } from './replica.js'
import type { ReplicaRequestOptions } from './replica-connection.js'
import { MAX_QUEUED, ReplicaPool } from './replica-pool.js'

const CONNECTIONS = 8

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Replicas behind one address, and a pool of connections to them. */
async function serve(...names: string[]): Promise<{ replicas: FakeReplica[]; pool: ReplicaPool }> {
  const replicas = names.map(
    name =>
      new FakeReplica(name, ({ url }, _, response) =>
        url!.startsWith('/slow') ? setTimeout(() => response.end(name), 2 * HANGS_AFTER_MS) : response.end(name),
      ),
  )
  const { origin, close } = await behindOneAddress(replicas)
  closing.push(close)
  const pool = new ReplicaPool(origin, { connections: CONNECTIONS })
  closing.push(() => pool.destroy())
  return { replicas, pool }
}

interface Sent {
  readonly answer: Promise<string>
  /** How often the request was notified that its replica hangs. */
  readonly hangs: () => number
}

function send(pool: ReplicaPool, path: string, signal?: AbortSignal): Sent {
  const chunks: Buffer[] = []
  let hangs = 0
  const answer = new Promise<string>((resolve, reject) => {
    pool.dispatch({ method: 'GET', path, signal, onReplicaHangs: () => hangs++ } as ReplicaRequestOptions, {
      onRequestStart: () => {},
      onResponseData: (_, chunk) => chunks.push(chunk),
      onResponseEnd: () => resolve(Buffer.concat(chunks).toString()),
      onResponseError: (_, error) => reject(error),
    })
  })
  return { answer, hangs: () => hangs }
}

/** Lets the pool learn of both replicas, over one connection to each. */
const meet = async (pool: ReplicaPool) => Promise.all([send(pool, '/first').answer, send(pool, '/second').answer])

describe('a pool of connections to replicas', () => {
  test('uses them in turn', async () => {
    const { pool } = await serve('a', 'b')
    await meet(pool)
    const names = []
    for (let n = 0; n < 4; n++) names.push(await send(pool, '/').answer)
    expect(names.sort()).toEqual(['a', 'a', 'b', 'b'])
  })

  test('sends nothing more to a replica that has been silent for a moment', async () => {
    const { replicas, pool } = await serve('a', 'b')
    await meet(pool)
    replicas[0]!.hangs = true
    const first = [send(pool, '/1'), send(pool, '/2')]
    expect(await Promise.race(first.map(({ answer }) => answer))).toBe('b')
    await sleep(2 * SUSPECT_AFTER_MS)
    const before = replicas[0]!.requests.length
    const later = await Promise.all(Array.from({ length: 20 }, (_, n) => send(pool, `/later${n}`).answer))
    expect(new Set(later)).toEqual(new Set(['b']))
    expect(replicas[0]!.requests).toHaveLength(before)
    replicas[0]!.goOn()
    await Promise.all(first.map(({ answer }) => answer))
  })

  test('notifies a request whose replica hangs, once, and not the others', async () => {
    const { replicas, pool } = await serve('a', 'b')
    await meet(pool)
    replicas[0]!.hangs = true
    const sent = [send(pool, '/1'), send(pool, '/2')]
    await sleep(3 * HANGS_AFTER_MS)
    expect(sent.map(({ hangs }) => hangs()).sort()).toEqual([0, 1])
    replicas[0]!.goOn()
    expect((await Promise.all(sent.map(({ answer }) => answer))).sort()).toEqual(['a', 'b'])
  })

  test('finds another replica when it knows none', async () => {
    const { replicas, pool } = await serve('a', 'b')
    expect(await send(pool, '/').answer).toBe('a')
    replicas[0]!.hangs = true
    const sent = send(pool, '/')
    await sleep(3 * HANGS_AFTER_MS)
    expect(sent.hangs()).toBe(1)
    expect(await send(pool, '/').answer).toBe('b')
    replicas[0]!.goOn()
    expect(await sent.answer).toBe('a')
  })

  test('does not take a slow request for a hang', async () => {
    const { replicas, pool } = await serve('a', 'b')
    await meet(pool)
    const slow = [send(pool, '/slow1'), send(pool, '/slow2')]
    expect((await Promise.all(slow.map(({ answer }) => answer))).sort()).toEqual(['a', 'b'])
    expect(slow.map(({ hangs }) => hangs())).toEqual([0, 0])
    expect(replicas.map(({ requests }) => requests.length)).toEqual([2, 2])
  })

  test('uses a replica again when it answers', async () => {
    const { replicas, pool } = await serve('a', 'b')
    await meet(pool)
    replicas[0]!.hangs = true
    const sent = [send(pool, '/1'), send(pool, '/2')]
    await sleep(2 * HANGS_AFTER_MS)
    replicas[0]!.goOn()
    await Promise.all(sent.map(({ answer }) => answer))
    await sleep(100)
    const names = new Set(await Promise.all(Array.from({ length: 8 }, () => send(pool, '/').answer)))
    expect(names).toEqual(new Set(['a', 'b']))
  })

  test('closes its free connections to a replica that says it is about to end, and no others', async () => {
    const { replicas, pool } = await serve('a', 'b')
    const [a, b] = replicas as [FakeReplica, FakeReplica]
    await Promise.all(Array.from({ length: CONNECTIONS }, (_, n) => send(pool, `/${n}`).answer))
    expect([await a.connections(), await b.connections()]).toEqual([CONNECTIONS / 2, CONNECTIONS / 2])
    a.ends = true
    while ((await send(pool, '/').answer) !== 'a');
    await eventuallyPasses(async () => expect(await a.connections()).toBe(0))
    expect(await b.connections()).toBe(CONNECTIONS / 2)
  })

  test('lets a request wait when every replica hangs, and does not notify it', async () => {
    const { replicas, pool } = await serve('a', 'b')
    await meet(pool)
    for (const replica of replicas) replica.hangs = true
    const sent = [send(pool, '/1'), send(pool, '/2')]
    await sleep(2 * HANGS_AFTER_MS)
    const late = send(pool, '/late')
    await sleep(HANGS_AFTER_MS)
    expect([...sent, late].map(({ hangs }) => hangs())).toEqual([0, 0, 0])
    for (const replica of replicas) replica.goOn()
    await Promise.all([...sent, late].map(({ answer }) => answer))
  })

  test('fails a queued request whose signal aborts, and never sends it', async () => {
    const { replicas, pool } = await serve('a')
    replicas[0]!.hangs = true
    const sent = send(pool, '/1')
    await sleep(2 * SUSPECT_AFTER_MS)
    await expect(send(pool, '/late', AbortSignal.timeout(50)).answer).rejects.toThrow('timeout')
    replicas[0]!.goOn()
    expect([await sent.answer, await send(pool, '/2').answer]).toEqual(['a', 'a'])
    expect(replicas[0]!.requests).toEqual(['GET /1', 'GET /2'])
  })

  test('forgets a queued request that is taken back', async () => {
    const { replicas, pool } = await serve('a')
    replicas[0]!.hangs = true
    const sent = send(pool, '/1')
    await sleep(2 * SUSPECT_AFTER_MS)
    const handler = { onRequestStart: jest.fn(), onResponseError: jest.fn() }
    pool.dispatch({ method: 'GET', path: '/late' } as Dispatcher.DispatchOptions, handler)
    expect([pool.takeBack(handler), pool.takeBack(handler)]).toEqual([true, false])
    replicas[0]!.goOn()
    await sent.answer
    await pool.close()
    expect([handler.onRequestStart.mock.calls, handler.onResponseError.mock.calls]).toEqual([[], []])
  })

  test('refuses a request at once when too many are queued', async () => {
    const { replicas, pool } = await serve('a')
    replicas[0]!.hangs = true
    const sent = Array.from({ length: CONNECTIONS + MAX_QUEUED }, (_, n) => send(pool, `/${n}`).answer)
    await expect(send(pool, '/late').answer).rejects.toThrow('too many requests')
    await Promise.all([pool.destroy(new Error('over')), ...sent.map(each => expect(each).rejects.toThrow('over'))])
  })

  test('closes when the last request has its answer', async () => {
    const { pool } = await serve('a')
    const sent = Array.from({ length: 20 }, (_, n) => send(pool, `/${n}`).answer)
    await pool.close()
    expect(await Promise.all(sent)).toEqual(Array(20).fill('a'))
  })

  test('fails what waits when it is destroyed', async () => {
    const { replicas, pool } = await serve('a')
    replicas[0]!.hangs = true
    const sent = Array.from({ length: 10 }, (_, n) => send(pool, `/${n}`).answer)
    await Promise.all([pool.destroy(new Error('over')), ...sent.map(each => expect(each).rejects.toThrow('over'))])
  })
})
