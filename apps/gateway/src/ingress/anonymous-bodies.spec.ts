import { request as ask, type ClientRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { maxBodyBytesOf, type RouteDefinition } from '@holdfast/contracts/route'
import { MAX_ANONYMOUS_REQUEST_BYTES, MAX_WEBHOOK_BYTES } from '@holdfast/kernel/requests'
import Fastify, { type FastifyInstance } from 'fastify'
import { limitAnonymousBodies, MAX_ANONYMOUS_BODIES, MAX_ANONYMOUS_BODIES_PER_ADDRESS } from './anonymous-bodies.js'

/** Many times longer than the test needs, also on a busy machine. */
const LONG_MS = 60_000
const SHORT_MS = 50

let server: FastifyInstance
const slow: ClientRequest[] = []
afterEach(async () => {
  for (const each of slow.splice(0)) each.destroy()
  server.server.closeAllConnections()
  await server.close()
})

/** A server with a public route and one for webhooks. A sender is a user when `x-user` names one; `x-forwarded-for` is their address. */
async function listen(graceMs: number): Promise<void> {
  server = Fastify({ trustProxy: true })
  server.decorateRequest('caller', null)
  server.addHook('onRequest', async request => {
    const id = request.headers['x-user']
    const actor = typeof id === 'string' ? ({ kind: 'user', id, role: 'user', plan: 'standard' } as const) : null
    request.caller = { caller: 'gateway', actor, clientIp: null }
  })
  limitAnonymousBodies(server, graceMs)
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
  for (const [path, bodyLimit] of [['/'], [WEBHOOK, MAX_WEBHOOK_BYTES]] as const) {
    const route: RouteDefinition = {
      method: 'POST',
      path,
      access: 'public',
      summary: '',
      ...(bodyLimit && { bodyLimit }),
    }
    server.post(path, { config: { route }, bodyLimit: maxBodyBytesOf(route) }, async () => 'taken')
  }
  server.setErrorHandler((error, _, reply) => {
    const { code } = error as { code: string }
    return reply.code(STATUS[code] ?? 500).send(code)
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
}
const WEBHOOK = '/api/webhooks/stripe'
const STATUS: Record<string, number> = { RATE_LIMITED: 429, PAYLOAD_TOO_LARGE: 413, FST_ERR_CTP_BODY_TOO_LARGE: 413 }

const origin = () => `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`

/** Sends the first byte of a body and then no more. Resolves when the request is cut off. */
function sendSlowly(headers: Record<string, string> = {}): Promise<void> {
  const request = ask(origin(), { method: 'POST', headers: { 'content-type': 'x/y', 'content-length': 9, ...headers } })
  slow.push(request)
  request.write('x')
  return new Promise(resolve => request.once('error', () => resolve()))
}

async function send(path: string, bytes: number, headers: Record<string, string> = {}): Promise<number> {
  const body = Buffer.alloc(bytes)
  const answer = await fetch(origin() + path, { method: 'POST', headers: { 'content-type': 'x/y', ...headers }, body })
  return answer.status
}

describe('a request with a body and without a session', () => {
  it('is refused when the body is large, also on a path without a route', async () => {
    await listen(LONG_MS)
    expect(await send('/', MAX_ANONYMOUS_REQUEST_BYTES)).toBe(200)
    expect(await send('/', MAX_ANONYMOUS_REQUEST_BYTES + 1)).toBe(413)
    expect(await send('/nowhere', MAX_ANONYMOUS_REQUEST_BYTES + 1)).toBe(413)
  })

  it('may be larger when it is a webhook', async () => {
    await listen(LONG_MS)
    expect(await send(WEBHOOK, MAX_WEBHOOK_BYTES)).toBe(200)
    expect(await send(WEBHOOK, MAX_WEBHOOK_BYTES + 1)).toBe(413)
  })

  it('is cut off when it arrives too slowly; a faster one, and that of a user, are not', async () => {
    await listen(20 * SHORT_MS)
    const isOtherCutOff = jest.fn()
    void sendSlowly({ 'x-user': 'ana' }).then(isOtherCutOff)
    void sendSlowly({ 'content-length': String(MAX_ANONYMOUS_REQUEST_BYTES) }).then(isOtherCutOff)
    // The bytes that come together with the head do not count.
    await sleep(SHORT_MS)
    slow.at(-1)!.write(Buffer.alloc(MAX_ANONYMOUS_REQUEST_BYTES - 2))
    await sendSlowly()
    await sleep(4 * SHORT_MS)
    expect(isOtherCutOff).not.toHaveBeenCalled()
  })

  it('is refused while too many of the same address are being received, and a user is not', async () => {
    await listen(LONG_MS)
    for (let i = 0; i < MAX_ANONYMOUS_BODIES_PER_ADDRESS; i++) void sendSlowly()
    while ((await send('/', 1)) === 200) await sleep(SHORT_MS)
    expect(await send('/', 1)).toBe(429)
    expect(await send('/', 1, { 'x-user': 'ana' })).toBe(200)
    for (const each of slow.splice(0)) each.destroy()
    while ((await send('/', 1)) === 429) await sleep(SHORT_MS)
    expect(await send('/', 1)).toBe(200)
  })

  it('takes the slot of an address with many when all are taken, so that a few addresses cannot keep out the others', async () => {
    await listen(LONG_MS)
    for (let i = 0; i < MAX_ANONYMOUS_BODIES; i++) {
      void sendSlowly({ 'x-forwarded-for': `10.0.0.${Math.floor(i / MAX_ANONYMOUS_BODIES_PER_ADDRESS)}` })
    }
    while ((await connections()) < MAX_ANONYMOUS_BODIES) await sleep(SHORT_MS)
    await sleep(4 * SHORT_MS)
    for (let i = 0; i < 3; i++) expect(await send('/', 1)).toBe(200)
  })
})

const connections = () =>
  new Promise<number>((resolve, reject) => {
    server.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
