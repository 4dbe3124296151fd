import { setTimeout as sleep } from 'node:timers/promises'
import { type BatchedRequestHead, batchRoute } from '@holdfast/contracts/batches'
import { encodeFrame, FrameReader } from '@holdfast/http-client/batch-frames'
import type { FastifyReply } from 'fastify'
import type { Received } from '../../test/fake-services.js'
import { RunningGateway } from '../../test/running-gateway.js'
import { MAX_EXCHANGES_PER_SERVICE, Upstreams } from '../services/upstreams.js'

const ACCEPT = '/api/transactions/7/accept'
const LISTING = '/api/listings/3'

describe('requests for batched routes', () => {
  const gateway = new RunningGateway()
  const { services } = gateway
  let token: string

  beforeAll(async () => {
    await gateway.start()
    token = services.signIn().token
  })
  afterAll(() => gateway.stop())
  beforeEach(() => services.clear())

  const accept = (key?: string) =>
    gateway.ask('POST', ACCEPT, { token, headers: key === undefined ? {} : { 'idempotency-key': key } })
  const codes = (answers: Promise<Response>[]) =>
    Promise.all(answers.map(async answer => [(await answer).status, ((await (await answer).json()) as Refused).code]))
  interface Refused {
    code?: string
    details?: { outcome?: string }
  }

  /** Records the batches that escrow-svc receives, and answers them by `answer`. */
  function takeBatches(answer: (received: Received, reply: FastifyReply, heads: BatchedRequestHead[]) => unknown) {
    const batches: BatchedRequestHead[][] = []
    services.on('escrow-svc', 'POST', batchRoute.path, (received, reply) => {
      const heads = new FrameReader<BatchedRequestHead>(100_000).push(received.body).map(({ head }) => head)
      batches.push(heads)
      return answer(received, reply, heads)
    })
    return batches
  }
  const answerOf = (index: number) => Buffer.concat(encodeFrame({ index, status: 200, headers: {} }, Buffer.from('{}')))

  it('have their own actor, address, key and answer each', async () => {
    const people = Array.from({ length: 20 }, () => services.signIn())
    services.on('listing-svc', 'GET', LISTING, ({ caller, headers }, reply) =>
      reply.header('etag', `"${headers['if-none-match']}"`).send({ viewer: caller?.actor }),
    )
    const answers = await Promise.all(
      people.map(({ token }, i) => gateway.ask('GET', LISTING, { token, headers: { 'if-none-match': `tag-${i}` } })),
    )
    for (const [i, answer] of answers.entries()) {
      expect(await answer.json()).toEqual({ viewer: people[i]!.user })
      expect(answer.headers.get('etag')).toBe(`"tag-${i}"`)
    }
    const ids = services.received.map(({ headers }) => headers['x-request-id'])
    expect(new Set(ids)).toEqual(new Set(answers.map(answer => answer.headers.get('x-request-id'))))
  })

  it('are sent alone when the service does not know batches, and each is done once', async () => {
    const batches = takeBatches((_, reply) => reply.code(404).send({ code: 'NOT_FOUND' }))
    services.on('escrow-svc', 'POST', ACCEPT, () => ({ status: 'completed' }))
    const answers = await Promise.all(Array.from({ length: 5 }, (_, i) => accept(`key-${i}`)))
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200))
    const keys = services.received.filter(({ url }) => url === ACCEPT).map(({ headers }) => headers['idempotency-key'])
    expect(keys.sort()).toEqual(['key-0', 'key-1', 'key-2', 'key-3', 'key-4'])
    expect(batches.flat()).toHaveLength(5)
  })

  it('are answered when their answers came before the connection broke; writes without a key have an unknown outcome', async () => {
    const batches = takeBatches((_, reply, heads) => {
      reply.hijack()
      reply.raw.writeHead(200)
      for (const [index, { headers }] of heads.entries()) {
        if (headers['idempotency-key'] === 'done') reply.raw.write(answerOf(index))
      }
      setTimeout(() => reply.raw.destroy(), 50)
    })
    const answers = await Promise.all(['done', undefined, undefined, 'done', undefined].map(accept))
    const seen = await Promise.all(
      answers.map(async answer => [answer.status, ((await answer.json()) as Refused).details?.outcome]),
    )
    expect(seen).toEqual([
      [200, undefined],
      [503, 'unknown'],
      [503, 'unknown'],
      [200, undefined],
      [503, 'unknown'],
    ])
    expect(batches.flat()).toHaveLength(5)
  })

  it('are sent once more alone when the connection broke, if they are repeatable; their outcome stays unknown when that fails, too', async () => {
    const batches = takeBatches((_, reply) => {
      reply.hijack()
      reply.raw.destroy()
    })
    services.on('escrow-svc', 'POST', ACCEPT, ({ headers }, reply) =>
      headers['idempotency-key'] === 'answered' ? { status: 'completed' } : reply.hijack().raw.destroy(),
    )
    expect((await accept('answered')).status).toBe(200)
    const failed = await accept('lost')
    expect([failed.status, ((await failed.json()) as Refused).details?.outcome]).toEqual([503, 'unknown'])
    expect(batches.flat()).toHaveLength(2)
  })

  it('are not sent twice when the batch fails, if they are writes without a key; a read is sent again', async () => {
    const batches = takeBatches((_, reply) => reply.code(502).send('<html>'))
    expect(await codes([accept()])).toEqual([[503, 'UNAVAILABLE']])
    expect(batches).toHaveLength(1)
    services.on('listing-svc', 'POST', batchRoute.path, (_, reply) => reply.code(502).send('<html>'))
    services.on('listing-svc', 'GET', LISTING, () => ({ id: 3 }))
    expect((await gateway.ask('GET', LISTING)).status).toBe(200)
  })

  it('to a service that is down were never sent, so their outcome is known', async () => {
    const restart = await services.kill('escrow-svc')
    try {
      const answers = await Promise.all(['a', 'b', 'c'].map(key => accept(key)))
      for (const answer of answers) {
        expect(answer.status).toBe(503)
        expect(((await answer.json()) as Refused).details ?? {}).not.toHaveProperty('outcome')
      }
    } finally {
      await restart()
    }
    services.on('escrow-svc', 'POST', ACCEPT, () => ({ status: 'completed' }))
    expect((await accept('later')).status).toBe(200)
  })

  it('are not sent when their client left before', async () => {
    services.on('escrow-svc', 'POST', ACCEPT, async ({ headers }) => {
      if (headers['idempotency-key'] !== 'left') await sleep(20)
      return {}
    })
    // The session check takes a moment. The client leaves meanwhile.
    const verify = services.answerOf('identity-svc', 'POST', '/internal/sessions/verify')
    services.on('identity-svc', 'POST', '/internal/sessions/verify', async (received, reply) => {
      await sleep(300)
      return verify(received, reply)
    })
    const leaving = gateway
      .ask('POST', ACCEPT, { token, headers: { 'idempotency-key': 'left' }, signal: AbortSignal.timeout(100) })
      .catch(() => 'left')
    expect(await leaving).toBe('left')
    expect((await accept('stayed')).status).toBe(200)
    const keys = services.received.filter(({ url }) => url === ACCEPT).map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual(['stayed'])
  })

  it('are refused at once while too many are under way', async () => {
    const upstream = gateway.running.app.get(Upstreams).get('escrow-svc')
    upstream.underWay += MAX_EXCHANGES_PER_SERVICE
    expect(await codes([accept()])).toEqual([[503, 'UNAVAILABLE']])
    upstream.underWay -= MAX_EXCHANGES_PER_SERVICE
    expect(services.received).toEqual([])
    expect((await accept()).status).toBe(200)
  })

  it('do not wait for a batch that is slow', async () => {
    let answerSlow = () => {}
    const answered = new Promise<void>(resolve => {
      answerSlow = resolve
    })
    services.on('escrow-svc', 'POST', ACCEPT, async ({ headers }) => {
      if (String(headers['idempotency-key']).startsWith('slow')) await answered
      return {}
    })
    const slow = Array.from({ length: 12 }, (_, i) => accept(`slow-${i}`))
    await sleep(150)
    expect((await accept('quick')).status).toBe(200)
    answerSlow()
    expect((await Promise.all(slow)).every(({ status }) => status === 200)).toBe(true)
  })
})
