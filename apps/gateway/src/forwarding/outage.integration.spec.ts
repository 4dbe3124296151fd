import { EventEmitter } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_CONNECTIONS_PER_SERVICE } from '@holdfast/http-client/send-undici'
import type { DomainError } from '@holdfast/kernel/errors'
import { eventually } from '@holdfast/testing/eventually'
import Fastify, { type FastifyInstance, type FastifyReply, type RouteHandlerMethod } from 'fastify'
import { RunningGateway } from '../../test/running-gateway.js'
import {
  CONNECTION_WAIT_MS,
  MAX_EXCHANGES_PER_SERVICE,
  RESERVED_FOR_WEBHOOKS,
  Upstream,
} from '../services/upstreams.js'
import { Exchange, type ForwardedRequest } from './exchange.js'
import { UnreadAnswers } from './unread-answers.js'

describe('a service that does not answer', () => {
  const gateway = new RunningGateway()
  const { services } = gateway
  let token: string

  beforeAll(() => gateway.start())
  afterAll(() => gateway.stop())
  beforeEach(() => {
    services.clear()
    token = services.signIn().token
  })

  it('causes a 503, without `outcome: unknown` for a write of which nothing was sent, until the service is back', async () => {
    const bringBack = await services.kill('escrow-svc')
    expect(await gateway.codeOf('GET', '/api/transactions/7/timeline', { token })).toEqual([503, 'UNAVAILABLE'])
    const write = await gateway.ask('POST', '/api/transactions/7/accept', { token })
    expect([write.status, write.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await write.json()).toMatchObject({ code: 'UNAVAILABLE', details: null })
    expect((await gateway.ask('GET', '/api/listings')).status).toBe(200)
    await bringBack()
    expect((await gateway.ask('POST', '/api/transactions/7/accept', { token })).status).toBe(200)
  })

  it('is tried again for a moment: a write of which nothing was sent is sent when the service is back', async () => {
    const bringBack = await services.kill('escrow-svc')
    const write = gateway.ask('POST', '/api/transactions/7/accept', { token })
    await sleep(20)
    await bringBack()
    expect((await write).status).toBe(200)
    expect(services.received).toHaveLength(1)
  })

  it('makes the outcome of a write unknown when the connection breaks; the answer says so, and the write is not repeated', async () => {
    services.on('escrow-svc', 'POST', '/api/transactions/7/accept', (_, reply) => void reply.raw.destroy())
    const write = await gateway.ask('POST', '/api/transactions/7/accept', { token })
    expect(write.status).toBe(503)
    expect(await write.json()).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('Idempotency-Key'),
      details: { outcome: 'unknown' },
    })
    expect(services.received).toHaveLength(1)
  })

  it('gets a read again when the connection breaks', async () => {
    let asked = 0
    services.on('escrow-svc', 'GET', '/api/transactions/7/timeline', (_, reply) => {
      if (++asked === 1) reply.raw.destroy()
      else return []
    })
    expect((await gateway.ask('GET', '/api/transactions/7/timeline', { token })).status).toBe(200)
    expect(asked).toBe(2)
  })

  it('in the middle of a short answer causes a 503 without that part of the answer', async () => {
    services.on('escrow-svc', 'POST', '/api/transactions/7/accept', (_, reply) => {
      reply.raw.writeHead(200, { 'content-length': '100', 'content-type': 'text/html', etag: '"half"' })
      reply.raw.write('half')
      setTimeout(() => reply.raw.destroy(), 20)
      return reply.hijack()
    })
    const answer = await gateway.ask('POST', '/api/transactions/7/accept', { token })
    expect([answer.status, answer.headers.get('etag')]).toEqual([503, null])
    expect(await answer.json()).toMatchObject({ details: { outcome: 'unknown' } })
  })

  it('in the middle of a long answer ends the client’s connection, so that the answer does not look complete', async () => {
    const path = `/api/images/${'b'.repeat(64)}`
    services.on('listing-svc', 'GET', path, (_, reply) => {
      reply.raw.writeHead(200, { 'content-length': '1000000', 'content-type': 'image/jpeg' })
      reply.raw.write(Buffer.alloc(200_000))
      setTimeout(() => reply.raw.destroy(), 20)
      return reply.hijack()
    })
    const answer = await gateway.ask('GET', path)
    await expect(answer.arrayBuffer()).rejects.toThrow()
  })

  it('loses the connection when the client of a read has gone, and keeps it for a write', async () => {
    const gone: string[] = []
    const answered: string[] = []
    let goOn = () => {}
    const isLate = new Promise<void>(resolve => {
      goOn = resolve
    })
    const leave = async (name: string, path: string) => {
      const leaving = new AbortController()
      services.on('escrow-svc', name, path, async (_, reply) => {
        reply.raw.on('close', () => (reply.raw.writableFinished ? answered : gone).push(name))
        leaving.abort()
        await isLate
        return {}
      })
      await gateway.ask(name, path, { token, signal: leaving.signal }).catch(() => null)
    }
    await Promise.all([leave('GET', '/api/transactions/7/timeline'), leave('POST', '/api/transactions/7/refund')])
    await eventually(async () => gone.length > 0)
    goOn()
    await eventually(async () => answered.length > 0)
    expect([gone, answered]).toEqual([['GET'], ['POST']])
  })

  it('does not sign users out when it is identity-svc', async () => {
    const bringBack = await services.kill('identity-svc')
    const fresh = services.signIn().token
    expect(await gateway.codeOf('GET', '/api/transactions/7/timeline', { token: fresh })).toEqual([503, 'UNAVAILABLE'])
    expect(await gateway.codeOf('POST', '/api/transactions/7/accept', { token: fresh })).toEqual([503, 'UNAVAILABLE'])
    expect((await gateway.ask('GET', '/api/listings')).status).toBe(200)
    await bringBack()
    expect((await gateway.ask('POST', '/api/transactions/7/accept', { token: fresh })).status).toBe(200)
  })

  it('is named by the deep readiness check only', async () => {
    const deep = async () => {
      const answer = await gateway.ask('GET', '/readyz?deep=1')
      return [answer.status, ((await answer.json()) as { checks: Record<string, string> }).checks['escrow-svc']]
    }
    expect(await deep()).toEqual([200, 'ok'])
    const bringBack = await services.kill('escrow-svc')
    expect(await deep()).toEqual([503, 'failed'])
    expect((await gateway.ask('GET', '/readyz')).status).toBe(200)
    await bringBack()
    expect(await deep()).toEqual([200, 'ok'])
  })
})

describe('a service that takes too long', () => {
  const opened: FastifyInstance[] = []
  afterEach(() => Promise.all(opened.splice(0).map(server => server.close())))

  /** A service that accepts every request and answers none but health checks. */
  async function stuckService(): Promise<{ origin: string; arrived: () => number }> {
    let arrived = 0
    const stuck = await listening(({ url }) => {
      if (url === '/healthz') return {}
      arrived++
      return sleep(60_000, undefined, { ref: false })
    })
    return { origin: stuck, arrived: () => arrived }
  }

  /** A server that forwards everything to one service. */
  const forwarderTo = (upstream: Upstream): Promise<string> =>
    listening((request, reply) => {
      const method = request.method as ForwardedRequest['method']
      const forwarded = { method, path: request.url, headers: {}, body: null, client: request.ip, isRepeatable: false }
      new Exchange(upstream, forwarded, reply, new UnreadAnswers()).start()
    })

  async function listening(handler: RouteHandlerMethod): Promise<string> {
    const server = Fastify({ forceCloseConnections: true })
    server.all('/*', handler)
    server.setErrorHandler((error, _, reply) =>
      reply.code(503).send({ details: (error as DomainError).details ?? null }),
    )
    opened.push(server)
    return server.listen({ port: 0, host: '127.0.0.1' })
  }

  const detailsOf = async (url: string, method: string) => (await fetch(url, { method })).json()

  it('causes a 503 after a limit: a read was not done, the outcome of a write is unknown', async () => {
    const upstream = new Upstream('escrow-svc', (await stuckService()).origin, new Map(), 300)
    const forwarder = await forwarderTo(upstream)
    expect(await detailsOf(forwarder, 'GET')).toEqual({ details: null })
    expect(await detailsOf(forwarder, 'POST')).toEqual({ details: { outcome: 'unknown' } })
    expect(upstream.underWay).toBe(0)
  })

  it('causes a 503 at once when too many wait for it already, except for webhooks', async () => {
    const { origin, arrived } = await stuckService()
    const upstream = new Upstream('escrow-svc', origin, new Map())
    const forwarder = await forwarderTo(upstream)
    upstream.underWay = MAX_EXCHANGES_PER_SERVICE
    const beganMs = performance.now()
    const refused = await detailsOf(`${forwarder}/api/transactions/7/accept`, 'POST')
    expect(refused).toEqual({ details: { retryAfterSeconds: expect.any(Number) } })
    expect(performance.now() - beganMs).toBeLessThan(CONNECTION_WAIT_MS)
    const webhook = detailsOf(`${forwarder}/api/webhooks/stripe`, 'POST').catch(() => null)
    while (arrived() < 1) await sleep(20)
    upstream.underWay = MAX_EXCHANGES_PER_SERVICE + RESERVED_FOR_WEBHOOKS
    expect(await detailsOf(`${forwarder}/api/webhooks/stripe`, 'POST')).toMatchObject({
      details: { retryAfterSeconds: expect.any(Number) },
    })
    // The service never answers it: it ends with the service.
    void webhook
  })

  it('makes other requests wait for a connection up to a limit, and nothing of these is sent', async () => {
    const { origin, arrived } = await stuckService()
    const upstream = new Upstream('escrow-svc', origin, new Map())
    const forwarder = await forwarderTo(upstream)
    const ended: unknown[] = []
    for (let i = 0; i < MAX_CONNECTIONS_PER_SERVICE + 8; i++) {
      void detailsOf(forwarder, 'POST').then(
        details => ended.push(details),
        () => null,
      )
    }
    while (arrived() < MAX_CONNECTIONS_PER_SERVICE) await sleep(20)
    await sleep(100)
    upstream.sweep(performance.now() + CONNECTION_WAIT_MS)
    while (ended.length < 8) await sleep(20)
    expect(ended).toEqual(Array(8).fill({ details: null }))
    expect([arrived(), upstream.underWay]).toEqual([MAX_CONNECTIONS_PER_SERVICE, MAX_CONNECTIONS_PER_SERVICE])
  })
})

describe('a client that does not read', () => {
  /** Longer than what a process should keep of one answer and the kernel of one connection. */
  const LONG_ANSWER_BYTES = 8_000_000

  it.each([900_000, LONG_ANSWER_BYTES])('does not keep a connection to the service busy: %i bytes', async length => {
    const listings = Fastify({ forceCloseConnections: true })
    listings.get('/*', (_, reply) => reply.type('image/jpeg').send(Buffer.alloc(length, 'x')))
    const upstream = new Upstream('listing-svc', await listings.listen({ port: 0, host: '127.0.0.1' }), new Map())
    // A reply that never reads the stream of the answer. With a real client the kernel's buffers would have to fill first.
    const sent: unknown[] = []
    const reply = { raw: new EventEmitter(), code() {}, header() {}, send: (answer: unknown) => sent.push(answer) }
    const request = {
      method: 'GET',
      path: '/image',
      headers: {},
      body: null,
      client: 'ana',
      isRepeatable: false,
    } as const
    new Exchange(upstream, request, reply as unknown as FastifyReply, new UnreadAnswers()).start()
    while (upstream.underWay > 0) await sleep(20)
    expect(sent).toHaveLength(1)
    let bytes = 0
    for await (const chunk of sent[0] as Readable) bytes += (chunk as Buffer).length
    expect(bytes).toBe(length)
    await listings.close()
  })
})
