import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { MAX_REQUEST_BYTES } from '@holdfast/kernel/requests'
import { eventually } from '@holdfast/testing/eventually'
import { fakeOnly } from '@holdfast/testing/fake-timers'
import { userActor } from '@holdfast/testing/signed-client'
import Fastify, { type FastifyInstance } from 'fastify'
import { installUploadGate } from './upload-gate.js'

let fastify: FastifyInstance
let port: number
/** The users whose requests have arrived, and those whose requests were admitted, the first one first. */
let arrived: string[]
let begun: string[]
/** Ends the oldest request that runs. */
let ends: (() => void)[]
let sockets: Socket[]

beforeEach(async () => {
  ;[arrived, begun, ends, sockets] = [[], [], [], []]
  fastify = Fastify()
  fastify.addHook('onRequest', async request => {
    const user = String(request.headers['x-user'])
    arrived.push(user)
    request.caller = { caller: 'gateway', actor: userActor(user), clientIp: null }
  })
  installUploadGate(fastify)
  fastify.post('/pictures', { bodyLimit: 2 * MAX_REQUEST_BYTES }, async request => {
    begun.push(String(request.headers['x-user']))
    await new Promise<void>(resolve => ends.push(resolve))
    return 'done'
  })
  fastify.get('/', async () => 'here')
  port = Number(new URL(await fastify.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterEach(async () => {
  jest.useRealTimers()
  for (const socket of sockets) socket.destroy()
  await fastify.close()
})

/** A request of a user that declares no length, as a large one does. Its body ends when it is `complete`. */
function upload(user: string, { complete = true } = {}): Socket {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  const headers = ['host: x', 'connection: close', 'content-type: application/json', 'transfer-encoding: chunked']
  socket.write(`POST /pictures HTTP/1.1\r\n${headers.join('\r\n')}\r\nx-user: ${user}\r\n\r\n2\r\n{}\r\n`)
  if (complete) socket.write('0\r\n\r\n')
  return socket
}

/** Resolves when these users' requests have arrived, and what could begin has begun. */
async function settled(...users: string[]): Promise<void> {
  await eventually(() => arrived.filter(user => users.includes(user)).length === users.length)
  await fetch(`http://127.0.0.1:${port}/`)
}

/** Sends requests that arrive in this order. */
async function uploadAll(...users: string[]): Promise<void> {
  for (const user of users) {
    const before = arrived.length
    upload(user)
    await eventually(() => arrived.length > before)
  }
}

async function endOne(): Promise<void> {
  const before = begun.length
  ends.shift()!()
  await eventually(() => begun.length > before)
}

test('two large requests are worked on at a time, small ones do not wait, and the next begins when one has ended', async () => {
  await uploadAll('a', 'b', 'c', 'd')
  await settled('a', 'b', 'c', 'd')
  expect(begun).toEqual(['a', 'b'])
  await endOne()
  await settled()
  expect(begun).toEqual(['a', 'b', 'c'])
  await endOne()
  for (const end of ends) end()
  for (const answer of await Promise.all(sockets.map(text))) expect(answer).toContain('done')
})

test('users take turns', async () => {
  await uploadAll('a', 'a', 'a', 'a', 'b')
  for (let n = 0; n < 3; n++) await endOne()
  expect(begun).toEqual(['a', 'a', 'a', 'b', 'a'])
})

test('a request whose sender has left while it waited is not begun', async () => {
  await uploadAll('a', 'b')
  const gone = upload('gone')
  await settled('gone')
  await uploadAll('c')
  gone.destroy()
  await eventually(() => gone.closed)
  await settled()
  await endOne()
  expect(begun).toEqual(['a', 'b', 'c'])
})

test('a body that does not arrive in time is cut off, and the next request begins', async () => {
  fakeOnly('setTimeout', 'clearTimeout')
  const slow = [upload('slow', { complete: false }), upload('slower', { complete: false })]
  await settled('slow', 'slower')
  upload('next')
  await settled('next')
  await jest.advanceTimersByTimeAsync(29_900)
  await settled()
  expect(begun).toEqual([])
  await jest.advanceTimersByTimeAsync(200)
  await eventually(() => begun.length === 1)
  expect(begun).toEqual(['next'])
  await eventually(() => slow.every(socket => socket.closed))
})

test('work on a body that has arrived may take longer', async () => {
  fakeOnly('setTimeout', 'clearTimeout')
  const socket = upload('a')
  await settled('a')
  await jest.advanceTimersByTimeAsync(60_000)
  ends[0]!()
  expect(await text(socket)).toContain('done')
})
