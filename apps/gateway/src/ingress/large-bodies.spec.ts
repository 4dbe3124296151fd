import { request as ask, type ClientRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_IMAGE_REQUEST_BYTES, MAX_REQUEST_BYTES } from '@holdfast/kernel/requests'
import { eventuallyPasses } from '@holdfast/testing/eventually'
import Fastify, { type FastifyInstance } from 'fastify'
import {
  limitLargeBodies,
  MAX_LARGE_BYTES,
  MAX_MEDIUM_BODIES_PER_USER,
  MAX_MEDIUM_BYTES,
  SMALL_BODY_BYTES,
} from './large-bodies.js'

/** Many times longer than the test needs, also on a busy machine. */
const LONG_MS = 60_000
const SHORT_MS = 50

/** The address from which a request comes when a test names no other. */
const HOME = '10.0.0.1'

let server: FastifyInstance
let arrived = 0
const open = new Set<ClientRequest>()
afterEach(async () => {
  for (const each of open) each.destroy()
  open.clear()
  server.server.closeAllConnections()
  await server.close()
})

/** A server with one route for large bodies, which refuses those that begin with `!`. */
async function listen(whenFull: Parameters<typeof limitLargeBodies>[1]): Promise<void> {
  server = Fastify({ trustProxy: true })
  server.decorateRequest('caller', null)
  arrived = 0
  server.addHook('onRequest', async request => {
    arrived++
    const actor = { kind: 'user', id: String(request.headers['x-user']), role: 'user', plan: 'standard' } as const
    request.caller = { caller: 'gateway', actor, clientIp: request.ip }
  })
  limitLargeBodies(server, whenFull)
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
  server.post('/', { bodyLimit: MAX_IMAGE_REQUEST_BYTES }, async ({ body }, reply) =>
    (body as Buffer).subarray(0, 1).equals(REFUSED) ? reply.code(400).send('refused') : 'taken',
  )
  server.setErrorHandler((error, _, reply) => {
    const { code } = error as { code: string }
    return reply.code(code === 'RATE_LIMITED' ? 429 : 503).send(code)
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
}
const REFUSED = Buffer.from('!')

interface Sender {
  readonly user: string
  readonly address?: string
}

/** An open request, and its status; 0 when it is cut off. */
function begin({ user, address = HOME }: Sender, length = MAX_IMAGE_REQUEST_BYTES) {
  const { port } = server.server.address() as AddressInfo
  const headers = { 'x-user': user, 'x-forwarded-for': address, 'content-type': 'x/y', 'content-length': length }
  const request = ask({ port, host: '127.0.0.1', method: 'POST', path: '/', headers, agent: false })
  open.add(request)
  request.flushHeaders()
  request.once('close', () => open.delete(request))
  const status = new Promise<number>(resolve => {
    request.once('response', response => resolve(response.resume().statusCode!))
    request.once('error', () => resolve(0))
  })
  return { request, status }
}

/** Sends the first bytes of a large body and then no more. Resolves with the status, 0 when it is cut off. */
function hold(sender: Sender, bytes = 1, length?: number): Promise<number> {
  const { request, status } = begin(sender, length)
  request.write(Buffer.alloc(bytes))
  return status
}

async function send(sender: Sender, length = MAX_REQUEST_BYTES + 1, first = Buffer.alloc(1)): Promise<number> {
  const { request, status } = begin(sender, length)
  request.end(Buffer.concat([first, Buffer.alloc(length - 1)]))
  return status
}

/** Sends a whole body in pieces, with a pause before each. */
async function trickle(sender: Sender, { length, piece, pauseMs, first = Buffer.alloc(1) }: Trickle): Promise<number> {
  const { request, status } = begin(sender, length)
  request.write(first)
  for (let sent = 1; sent < length && open.has(request); sent += piece) {
    await sleep(pauseMs)
    request.write(Buffer.alloc(Math.min(piece, length - sent)))
  }
  return status
}
interface Trickle {
  readonly length: number
  readonly piece: number
  readonly pauseMs: number
  readonly first?: Buffer
}

/** Waits until so many requests have arrived. */
async function haveArrived(requests: number): Promise<void> {
  while (arrived < requests) await sleep(SHORT_MS)
}

const FULL = MAX_LARGE_BYTES / MAX_IMAGE_REQUEST_BYTES
const elsewhere = (n: number): Sender => ({ user: `other-${n}`, address: `10.1.0.${n}` })
const others = Array.from({ length: FULL }, (_, n) => elsewhere(n))
const ana: Sender = { user: 'ana' }
const PATIENT = { graceMs: LONG_MS, waitMs: LONG_MS, slowestBytesPerSecond: 0 }

describe('the room for large bodies', () => {
  it.each([
    ['large ones', { length: MAX_IMAGE_REQUEST_BYTES, piece: 500 }],
    ['small ones, fast enough', { length: MAX_REQUEST_BYTES + 1, piece: 8 * 1024 }],
  ])(
    'is left to honest uploads, fast and slow, while four accounts send bodies that will be refused: %s',
    async (_, attack) => {
      await listen({ graceMs: 4 * SHORT_MS, waitMs: LONG_MS, slowestBytesPerSecond: 100_000 })
      let isOver = false
      const attacks = [...others, ...others].map(async attacker => {
        while (!isOver) await trickle(attacker, { ...attack, pauseMs: SHORT_MS, first: REFUSED })
      })
      await haveArrived(2 * FULL)
      const honest = { length: 4 * MAX_REQUEST_BYTES, piece: 48 * 1024, pauseMs: SHORT_MS }
      const statuses = await Promise.all([trickle(ana, honest), send({ user: 'ben' }, 8 * MAX_REQUEST_BYTES)])
      expect(statuses).toEqual([200, 200])
      isOver = true
      for (const each of open) each.destroy()
      await Promise.all(attacks)
    },
  )

  it('is taken away from senders whose bodies were refused before, also from fast ones', async () => {
    await listen(PATIENT)
    for (const each of others) expect(await send(each, undefined, REFUSED)).toBe(400)
    const held = others.map(each => hold(each, MAX_IMAGE_REQUEST_BYTES / 2))
    await haveArrived(2 * FULL)
    expect(await send(ana)).toBe(200)
    expect(await Promise.race(held)).toBe(0)
  })

  it('is not taken away by somebody whose bodies were refused', async () => {
    await listen({ ...PATIENT, graceMs: 0, slowestBytesPerSecond: 1_000_000, waitMs: 1_000 })
    expect(await send(ana, undefined, REFUSED)).toBe(400)
    for (const each of others) void hold(each)
    await haveArrived(1 + FULL)
    expect(await send(ana)).toBe(503)
    // Somebody else may, because these send too slowly.
    expect(await send({ user: 'ben', address: '10.2.0.1' })).toBe(200)
  })

  it('is taken away from an address with several accounts when a person of another address has none', async () => {
    await listen(PATIENT)
    const held = others.map(({ user }) => hold({ user }, MAX_IMAGE_REQUEST_BYTES / 2))
    await haveArrived(FULL)
    expect(await send({ user: 'ana', address: '10.2.0.1' })).toBe(200)
    expect(await Promise.race(held)).toBe(0)
  })

  it('is taken away from the slowest of those that are too slow, and from no other', async () => {
    await listen({ ...PATIENT, graceMs: SHORT_MS, slowestBytesPerSecond: 1_000_000 })
    const bytes = [MAX_REQUEST_BYTES, 1, 20 * MAX_REQUEST_BYTES, 20 * MAX_REQUEST_BYTES]
    const held = others.map((each, n) => hold(each, bytes[n]))
    const [slowest] = held.splice(1, 1)
    const isOtherCutOff = jest.fn()
    for (const each of held) void each.then(isOtherCutOff)
    await haveArrived(FULL)
    await sleep(4 * SHORT_MS)
    expect(await send(ana)).toBe(200)
    expect(await slowest).toBe(0)
    expect(isOtherCutOff).not.toHaveBeenCalled()
  })

  it('comes free for those who wait when a body has ended, first for the one who would take the least', async () => {
    await listen(PATIENT)
    const [first] = others.map(each => begin(each))
    await haveArrived(FULL)
    const order: string[] = []
    const note = (name: string) => (status: number) => order.push(`${name} ${status}`)
    const large = send(ana, 31 * MAX_REQUEST_BYTES).then(note('large'))
    await haveArrived(FULL + 1)
    const small = send({ user: 'ben', address: '10.2.0.1' }).then(note('small'))
    await haveArrived(FULL + 2)
    expect(order).toEqual([])
    first!.request.end(Buffer.alloc(MAX_IMAGE_REQUEST_BYTES))
    await Promise.all([large, small])
    expect(order).toEqual(['small 200', 'large 200'])
  })

  it('is kept by bodies that arrive fast enough, or have only just begun; whoever waits too long is refused', async () => {
    await listen({ graceMs: LONG_MS, waitMs: SHORT_MS, slowestBytesPerSecond: 1_000_000 })
    const isCutOff = jest.fn()
    for (const each of others) void hold(each).then(isCutOff)
    await haveArrived(FULL)
    expect(await send(ana)).toBe(503)
    expect(isCutOff).not.toHaveBeenCalled()
  })

  it('has two bodies of a person at a time, those that wait included, until they end or their client leaves', async () => {
    await listen(PATIENT)
    for (const each of others) void hold(each)
    await haveArrived(FULL)
    const waiting = [begin(ana), begin(ana)]
    await haveArrived(FULL + 2)
    expect(await send(ana)).toBe(429)
    for (const { request } of waiting) request.destroy()
    await eventuallyPasses(async () => {
      const { request, status } = begin(ana)
      expect(await Promise.race([status, sleep(4 * SHORT_MS)])).toBeUndefined()
      request.destroy()
    })
  })
})

describe('the room for bodies that are neither small nor large', () => {
  const holdMedium = (sender: Sender) => void hold(sender, MAX_REQUEST_BYTES / 8, MAX_REQUEST_BYTES)
  const greedy: Sender = { user: 'greedy', address: '10.3.0.1' }

  it('is limited for each user, so that one account cannot fill the memory', async () => {
    await listen(PATIENT)
    for (let i = 0; i < MAX_MEDIUM_BODIES_PER_USER; i++) holdMedium(greedy)
    await haveArrived(MAX_MEDIUM_BODIES_PER_USER)
    expect(await send(greedy, SMALL_BODY_BYTES + 1)).toBe(429)
    expect(await send(greedy, SMALL_BODY_BYTES)).toBe(200)
    expect(await send(ana, MAX_REQUEST_BYTES)).toBe(200)
  })

  it('is taken away from users who have several, also fast ones, when another user has none', async () => {
    await listen(PATIENT)
    const most = MAX_MEDIUM_BYTES / MAX_REQUEST_BYTES
    for (let i = 0; i < most; i++) holdMedium(elsewhere(i % (most / MAX_MEDIUM_BODIES_PER_USER)))
    await haveArrived(most)
    expect(await send(ana, MAX_REQUEST_BYTES)).toBe(200)
  })
})
