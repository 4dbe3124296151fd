import { EventEmitter } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_CONNECTIONS_PER_SERVICE } from '@holdfast/http-client/send-undici'
import type { DomainError } from '@holdfast/kernel/errors'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import Fastify, { type FastifyInstance, type FastifyReply, type RouteHandlerMethod } from 'fastify'
import { RunningGateway } from '../../test/running-gateway.js'
import { Exchange, type ForwardedRequest } from './exchange.js'
import { CONNECTION_WAIT_MS, Upstream } from './upstreams.js'

describe('a service that does not answer', () => {
  const door = new RunningGateway()
  const { services } = door
  let token: string

  beforeAll(() => door.start())
  afterAll(() => door.stop())
  beforeEach(() => {
    services.clear()
    token = services.signIn().token
  })

  it('is 503, for a while; what never reached it is not called unknown, and all is well once it is back', async () => {
    const bringBack = await services.kill('escrow-svc')
    expect(await door.codeOf('GET', '/api/transactions/7/timeline', { token })).toEqual([503, 'UNAVAILABLE'])
    const write = await door.ask('POST', '/api/transactions/7/accept', { token })
    expect([write.status, write.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await write.json()).toMatchObject({ code: 'UNAVAILABLE', details: null })
    expect((await door.ask('GET', '/api/listings')).status).toBe(200)
    await bringBack()
    expect((await door.ask('POST', '/api/transactions/7/accept', { token })).status).toBe(200)
  })

  it('is waited for a moment: a write that was never sent goes out when the service is back', async () => {
    const bringBack = await services.kill('escrow-svc')
    const write = door.ask('POST', '/api/transactions/7/accept', { token })
    await sleep(20)
    await bringBack()
    expect((await write).status).toBe(200)
    expect(services.received).toHaveLength(1)
  })

  it('leaves a write’s fate unknown when it breaks off, says so, and never sends it twice', async () => {
    services.on('escrow-svc', 'POST', '/api/transactions/7/accept', (_, reply) => void reply.raw.destroy())
    const write = await door.ask('POST', '/api/transactions/7/accept', { token })
    expect(write.status).toBe(503)
    expect(await write.json()).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('Idempotency-Key'),
      details: { outcome: 'unknown' },
    })
    expect(services.received).toHaveLength(1)
  })

  it('is asked again for a read that broke off', async () => {
    let asked = 0
    services.on('escrow-svc', 'GET', '/api/transactions/7/timeline', (_, reply) => {
      if (++asked === 1) reply.raw.destroy()
      else return []
    })
    expect((await door.ask('GET', '/api/transactions/7/timeline', { token })).status).toBe(200)
    expect(asked).toBe(2)
  })

  it('turns half of a short answer into 503, with nothing of it left', async () => {
    services.on('escrow-svc', 'POST', '/api/transactions/7/accept', (_, reply) => {
      reply.raw.writeHead(200, { 'content-length': '100', 'content-type': 'text/html', etag: '"half"' })
      reply.raw.write('half')
      setTimeout(() => reply.raw.destroy(), 20)
      return reply.hijack()
    })
    const answer = await door.ask('POST', '/api/transactions/7/accept', { token })
    expect([answer.status, answer.headers.get('etag')]).toEqual([503, null])
    expect(await answer.json()).toMatchObject({ details: { outcome: 'unknown' } })
  })

  it('breaks off half of a long answer, so that nobody takes it for the whole', async () => {
    const path = `/api/images/${'b'.repeat(64)}`
    services.on('listing-svc', 'GET', path, (_, reply) => {
      reply.raw.writeHead(200, { 'content-length': '1000000', 'content-type': 'image/jpeg' })
      reply.raw.write(Buffer.alloc(200_000))
      setTimeout(() => reply.raw.destroy(), 20)
      return reply.hijack()
    })
    const answer = await door.ask('GET', path)
    await expect(answer.arrayBuffer()).rejects.toThrow()
  })

  it('hears when the reader has gone, but not when a writer has', async () => {
    const gone: string[] = []
    const slow = (name: string) => {
      services.on('escrow-svc', name, '/api/transactions/7/messages', () => {})
      const path = name === 'GET' ? '/api/transactions/7/timeline' : '/api/transactions/7/accept'
      services.on('escrow-svc', name, path, async (_, reply) => {
        reply.raw.on('close', () => reply.raw.writableFinished || gone.push(name))
        await sleep(300)
        return {}
      })
      const leaving = AbortSignal.timeout(100)
      return door.ask(name, path, { token, signal: leaving }).catch(() => null)
    }
    await Promise.all([slow('GET'), slow('POST')])
    await sleep(500)
    expect(gone).toEqual(['GET'])
  })

  it('signs nobody out when it is the one that knows the sessions', async () => {
    const bringBack = await services.kill('identity-svc')
    const fresh = services.signIn().token
    expect(await door.codeOf('GET', '/api/transactions/7/timeline', { token: fresh })).toEqual([503, 'UNAVAILABLE'])
    expect(await door.codeOf('POST', '/api/transactions/7/accept', { token: fresh })).toEqual([503, 'UNAVAILABLE'])
    expect((await door.ask('GET', '/api/listings')).status).toBe(200)
    await bringBack()
    expect((await door.ask('POST', '/api/transactions/7/accept', { token: fresh })).status).toBe(200)
  })

  it('is named by deep readiness, and only by that', async () => {
    const deep = async () => {
      const answer = await door.ask('GET', '/readyz?deep=1')
      return [answer.status, ((await answer.json()) as { checks: Record<string, string> }).checks['escrow-svc']]
    }
    expect(await deep()).toEqual([200, 'ok'])
    const bringBack = await services.kill('escrow-svc')
    expect(await deep()).toEqual([503, 'failed'])
    expect((await door.ask('GET', '/readyz')).status).toBe(200)
    await bringBack()
    expect(await deep()).toEqual([200, 'ok'])
  })
})

describe('a service that takes too long', () => {
  const opened: FastifyInstance[] = []
  afterEach(() => Promise.all(opened.splice(0).map(server => server.close())))

  /** A service that takes every request and answers none. */
  async function stuckService(): Promise<{ origin: string; arrived: () => number }> {
    let arrived = 0
    const stuck = await listening(() => {
      arrived++
      return sleep(60_000, undefined, { ref: false })
    })
    return { origin: stuck, arrived: () => arrived }
  }

  /** A door of nothing but exchanges. */
  const doorTo = (upstream: Upstream): Promise<string> =>
    listening((request, reply) => {
      const method = request.method as ForwardedRequest['method']
      new Exchange(upstream, { method, path: request.url, headers: {}, body: null }, reply).start()
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

  it('is given up: a read is not done, a write’s fate is unknown', async () => {
    const upstream = new Upstream('escrow-svc', (await stuckService()).origin, new Map(), 300)
    const door = await doorTo(upstream)
    expect(await detailsOf(door, 'GET')).toEqual({ details: null })
    expect(await detailsOf(door, 'POST')).toEqual({ details: { outcome: 'unknown' } })
    expect(upstream.underWay).toBe(0)
  })

  it('keeps nobody waiting for a connection longer than a limit, and what waited was never sent', async () => {
    const { origin, arrived } = await stuckService()
    const upstream = new Upstream('escrow-svc', origin, new Map())
    const door = await doorTo(upstream)
    const ended: unknown[] = []
    for (let i = 0; i < MAX_CONNECTIONS_PER_SERVICE + 8; i++) {
      void detailsOf(door, 'POST').then(
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
  it('holds no connection to the service', async () => {
    const listings = Fastify({ forceCloseConnections: true })
    listings.get('/*', (_, reply) => reply.type('image/jpeg').send(Buffer.alloc(900_000, 'x')))
    const upstream = new Upstream('listing-svc', await listings.listen({ port: 0, host: '127.0.0.1' }), new Map())
    // A reply that takes the answer's stream and never reads it; a real one would have the kernel's buffers read for it.
    const sent: unknown[] = []
    const reply = { raw: new EventEmitter(), code() {}, header() {}, send: (answer: unknown) => sent.push(answer) }
    const request = { method: 'GET', path: '/image', headers: {}, body: null } as const
    new Exchange(upstream, request, reply as unknown as FastifyReply).start()
    while (upstream.underWay > 0) await sleep(20)
    expect(sent).toHaveLength(1)
    let bytes = 0
    for await (const chunk of sent[0] as Readable) bytes += (chunk as Buffer).length
    expect(bytes).toBe(900_000)
    await listings.close()
  })
})
