import { request as ask, type ClientRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_IMAGE_REQUEST_BYTES, MAX_REQUEST_BYTES } from '@holdfast/kernel/requests'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  limitLargeBodies,
  MAX_LARGE_BODIES,
  MAX_MEDIUM_BODIES,
  MAX_MEDIUM_BODIES_PER_USER,
  SMALL_BODY_BYTES,
} from './large-bodies.js'

/** Many times longer than the test needs, also on a busy machine. */
const LONG_MS = 60_000
const SHORT_MS = 50

let server: FastifyInstance
let arrived = 0
const slow: ClientRequest[] = []
afterEach(async () => {
  for (const each of slow.splice(0)) each.destroy()
  server.server.closeAllConnections()
  await server.close()
})

/** A server with one route for large bodies. The user is the one that the header `x-user` names. */
async function listen(graceMs: number): Promise<void> {
  server = Fastify()
  server.decorateRequest('caller', null)
  arrived = 0
  server.addHook('onRequest', async request => {
    arrived++
    const actor = { kind: 'user', id: String(request.headers['x-user']), role: 'user', plan: 'standard' } as const
    request.caller = { caller: 'gateway', actor, clientIp: null }
  })
  limitLargeBodies(server, graceMs)
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
  server.post('/', { bodyLimit: MAX_IMAGE_REQUEST_BYTES }, async () => 'taken')
  await server.listen({ port: 0, host: '127.0.0.1' })
}

/** Sends the first bytes of a body, large if no length is given, and then no more. Resolves when the request is cut off. */
function sendSlowly(user: string, bytes = 1, length = MAX_IMAGE_REQUEST_BYTES): Promise<void> {
  const { port } = server.server.address() as AddressInfo
  const headers = { 'x-user': user, 'content-type': 'x/y', 'content-length': length }
  const request = ask({ port, host: '127.0.0.1', method: 'POST', path: '/', headers })
  slow.push(request)
  request.write(Buffer.alloc(bytes))
  return new Promise(resolve => request.once('error', () => resolve()))
}

/** Waits until so many requests have arrived, and then until they may be cut off. */
async function waitForGrace(requests: number): Promise<void> {
  while (arrived < requests) await sleep(SHORT_MS)
  await sleep(4 * SHORT_MS)
}

async function send(user: string, length = MAX_REQUEST_BYTES + 1): Promise<number> {
  const { port } = server.server.address() as AddressInfo
  const headers = { 'x-user': user, 'content-type': 'x/y' }
  const body = Buffer.alloc(length)
  return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status
}

describe('the slots for large bodies', () => {
  it('are taken away from requests that are too slow when another user needs one', async () => {
    await listen(SHORT_MS)
    const cutOff = Array.from({ length: MAX_LARGE_BODIES }, (_, i) => sendSlowly(`slow-${i % 2}`))
    await waitForGrace(MAX_LARGE_BODIES)
    expect(await send('ana')).toBe(200)
    await Promise.race(cutOff)
  })

  it('are taken away from a user who has two, also fast ones, when another user has none', async () => {
    await listen(SHORT_MS)
    const half = MAX_IMAGE_REQUEST_BYTES / 2
    for (let i = 0; i < MAX_LARGE_BODIES; i++) void sendSlowly(`fast-${i % 2}`, half)
    await waitForGrace(MAX_LARGE_BODIES)
    expect(await send('fast-0')).not.toBe(200)
    expect(await send('ana')).toBe(200)
  })

  it('are taken away from the user whose body takes the longest, also a fast one, when all have one each', async () => {
    await listen(SHORT_MS)
    const isSmallCutOff = vi.fn()
    // It is the oldest one and has sent the fewest bytes, but the largest part of its body.
    void sendSlowly('small', MAX_REQUEST_BYTES / 4, MAX_REQUEST_BYTES + 1).then(isSmallCutOff)
    const large = ['large-0', 'large-1', 'large-2'].map(user => sendSlowly(user, MAX_IMAGE_REQUEST_BYTES / 16))
    await waitForGrace(MAX_LARGE_BODIES)
    // After a second the rate of the small one is too slow for the largest body.
    await sleep(1_000)
    expect(await send('ana')).toBe(200)
    await Promise.race(large)
    expect(isSmallCutOff).not.toHaveBeenCalled()
  })

  it('are taken away from requests that are too slow also when a user needs a second one', async () => {
    await listen(SHORT_MS)
    const cutOff = Array.from({ length: MAX_LARGE_BODIES }, (_, i) => sendSlowly(`slow-${i}`))
    await waitForGrace(MAX_LARGE_BODIES)
    expect(await send('slow-0')).toBe(200)
    await Promise.race(cutOff)
  })

  it('are kept by requests that have only just begun', async () => {
    await listen(LONG_MS)
    for (let i = 0; i < MAX_LARGE_BODIES; i++) void sendSlowly(`slow-${i % 2}`)
    await sleep(SHORT_MS)
    expect(await send('ana')).not.toBe(200)
  })
})

describe('the slots for bodies that are neither small nor large', () => {
  const begin = (user: string) => void sendSlowly(user, MAX_REQUEST_BYTES / 8, MAX_REQUEST_BYTES)

  it('are limited for each user, so that one account cannot fill the memory', async () => {
    await listen(LONG_MS)
    for (let i = 0; i < MAX_MEDIUM_BODIES_PER_USER; i++) begin('greedy')
    while ((await send('greedy', SMALL_BODY_BYTES + 1)) === 200) await sleep(SHORT_MS)
    expect(await send('greedy', SMALL_BODY_BYTES)).toBe(200)
    expect(await send('ana', MAX_REQUEST_BYTES)).toBe(200)
  })

  it('are taken away from users who have several, also fast ones, when another user has none', async () => {
    await listen(SHORT_MS)
    for (let i = 0; i < MAX_MEDIUM_BODIES; i++) begin(`fast-${i % (MAX_MEDIUM_BODIES / MAX_MEDIUM_BODIES_PER_USER)}`)
    await waitForGrace(MAX_MEDIUM_BODIES)
    expect(await send('ana', MAX_REQUEST_BYTES)).toBe(200)
  })
})
