import { request as ask, type ClientRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_IMAGE_REQUEST_BYTES, MAX_REQUEST_BYTES } from '@holdfast/kernel/requests'
import { afterEach, describe, expect, it } from '@jest/globals'
import Fastify, { type FastifyInstance } from 'fastify'
import { limitLargeBodies, MAX_LARGE_BODIES } from './large-bodies.js'

/** Many times what the test needs, on a machine that is busy. */
const LONG_MS = 60_000
const SHORT_MS = 50

let door: FastifyInstance
const slow: ClientRequest[] = []
afterEach(async () => {
  for (const each of slow.splice(0)) each.destroy()
  door.server.closeAllConnections()
  await door.close()
})

/** A door with one route for large bodies, at which the user is whoever a header says. */
async function open(unjudgedMs: number): Promise<void> {
  door = Fastify()
  door.decorateRequest('caller', null)
  door.addHook('onRequest', async request => {
    const actor = { kind: 'user', id: String(request.headers['x-user']), role: 'user', plan: 'standard' } as const
    request.caller = { caller: 'gateway', actor, clientIp: null }
  })
  limitLargeBodies(door, unjudgedMs)
  door.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
  door.post('/', { bodyLimit: MAX_IMAGE_REQUEST_BYTES }, async () => 'taken')
  await door.listen({ port: 0, host: '127.0.0.1' })
}

/** Begins a request whose body does not come, but for its first bytes, and says when it is broken off. */
function dawdle(user: string, bytes = 1): Promise<void> {
  const { port } = door.server.address() as AddressInfo
  const headers = { 'x-user': user, 'content-type': 'x/y', 'content-length': MAX_IMAGE_REQUEST_BYTES }
  const request = ask({ port, host: '127.0.0.1', method: 'POST', path: '/', headers })
  slow.push(request)
  request.write(Buffer.alloc(bytes))
  return new Promise(resolve => request.once('error', () => resolve()))
}

async function send(user: string): Promise<number> {
  const { port } = door.server.address() as AddressInfo
  const headers = { 'x-user': user, 'content-type': 'x/y' }
  const body = Buffer.alloc(MAX_REQUEST_BYTES + 1)
  return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status
}

describe('the places for large bodies', () => {
  it('are not kept by those whose bodies do not come, when somebody else needs one', async () => {
    await open(SHORT_MS)
    const broken = Array.from({ length: MAX_LARGE_BODIES }, (_, i) => dawdle(`slow-${i % 2}`))
    await sleep(4 * SHORT_MS)
    expect(await send('ana')).toBe(200)
    await Promise.race(broken)
  })

  it('are given up by whoever has two of them, however fast, when somebody else has none', async () => {
    await open(SHORT_MS)
    const half = MAX_IMAGE_REQUEST_BYTES / 2
    for (let i = 0; i < MAX_LARGE_BODIES; i++) void dawdle(`fast-${i % 2}`, half)
    await sleep(4 * SHORT_MS)
    expect(await send('fast-0')).not.toBe(200)
    expect(await send('ana')).toBe(200)
  })

  it('are kept by whoever has only just begun', async () => {
    await open(LONG_MS)
    for (let i = 0; i < MAX_LARGE_BODIES; i++) void dawdle(`slow-${i % 2}`)
    await sleep(SHORT_MS)
    expect(await send('ana')).not.toBe(200)
  })
})
