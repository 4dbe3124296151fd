import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConnectionError } from './api-error.js'
import type { HttpRequest, Send } from './call.js'
import { SUSPECT_AFTER_MS } from './replica.js'
import { sendFetch } from './send-fetch.js'
import {
  MAX_CONNECTIONS_PER_SERVICE,
  MAX_READ_RETRIES,
  MAX_REQUESTS_PER_CONNECTION,
  sendUndici,
  servicePool,
} from './send-undici.js'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A server that counts its requests and handles each with `act`. */
async function serve(act: Parameters<typeof createServer>[1]): Promise<{ origin: string; count: () => number }> {
  let requests = 0
  const server: Server = createServer((request, response) => {
    requests++
    act?.(request, response as never)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    return new Promise(resolve => server.close(resolve))
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, count: () => requests }
}

function undiciTo(origin: string): Send {
  const pool = servicePool(origin)
  closing.push(() => pool.destroy())
  return sendUndici(pool)
}

const get: HttpRequest = { method: 'GET', path: '/x?y=1', headers: { accept: 'application/json' } }
const post: HttpRequest = { method: 'POST', path: '/x', headers: { 'content-type': 'application/json' }, body: '{}' }
const senders: [string, (origin: string) => Send][] = [
  ['sendFetch', sendFetch],
  ['sendUndici', undiciTo],
]

describe.each(senders)('%s', (_, to) => {
  test('carries method, path, headers and body there, and status, headers and text back', async () => {
    const { origin } = await serve(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      response.writeHead(201, {
        'x-seen': `${request.method} ${request.url} ${request.headers['content-type']} ${body}`,
      })
      response.end('done')
    })
    const answer = await to(origin)(post)
    expect(answer.status).toBe(201)
    expect(answer.header('x-seen')).toBe('POST /x application/json {}')
    expect(answer.header('x-missing')).toBeNull()
    expect(await answer.text()).toBe('done')
  })

  test('rejects with ConnectionError when no server listens', async () => {
    await expect(to('http://127.0.0.1:1')(post)).rejects.toBeInstanceOf(ConnectionError)
  })

  test('rejects with ConnectionError when the answer breaks off', async () => {
    const { origin } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half')
      setTimeout(() => response.destroy(), 20)
    })
    const answer = to(origin)(post).then(response => response.text())
    await expect(answer).rejects.toBeInstanceOf(ConnectionError)
  })

  test('rejects with the reason of the abort', async () => {
    const { origin } = await serve(() => {})
    const controller = new AbortController()
    const answer = to(origin)({ ...post, signal: controller.signal })
    setTimeout(() => controller.abort(new Error('never mind')), 30)
    await expect(answer).rejects.toThrow('never mind')
  })
})

describe('sendUndici', () => {
  test('repeats a read whose connection broke, and never a write', async () => {
    const { origin, count } = await serve(request => request.socket.destroy())
    const send = undiciTo(origin)
    await expect(send(get)).rejects.toBeInstanceOf(ConnectionError)
    expect(count()).toBe(1 + MAX_READ_RETRIES)
    await expect(send(post)).rejects.toBeInstanceOf(ConnectionError)
    expect(count()).toBe(2 + MAX_READ_RETRIES)
  })

  test('does not repeat a read that was answered, also with an error', async () => {
    const { origin, count } = await serve((_, response) => response.writeHead(503, { 'retry-after': '5' }).end('{}'))
    const answer = await undiciTo(origin)(get)
    expect([answer.status, count()]).toEqual([503, 1])
  })

  test('answers a request that comes long after many at the same time', async () => {
    const held: (() => void)[] = []
    const { origin } = await serve((_, response) => {
      held.push(() => response.end('{}'))
      // These requests are answered together, so that they use every connection of the pool.
      if (held.length >= MAX_CONNECTIONS_PER_SERVICE) for (const answer of held) answer()
    })
    const send = undiciTo(origin)
    await Promise.all(Array.from({ length: MAX_CONNECTIONS_PER_SERVICE }, async () => (await send(get)).text()))
    const anHourLater = Date.now() + 3_600_000
    const now = jest.spyOn(Date, 'now').mockReturnValue(anHourLater)
    try {
      expect((await send({ ...post, signal: AbortSignal.timeout(2_000) })).status).toBe(200)
    } finally {
      now.mockRestore()
    }
  })

  test('ends a call at its time limit also while every replica hangs and the call has no connection', async () => {
    const { origin } = await serve(() => {})
    const send = undiciTo(origin)
    const long = send({ ...post, signal: AbortSignal.timeout(2_000) })
    await sleep(2 * SUSPECT_AFTER_MS)
    const beganMs = performance.now()
    const short = [get, post].map(request => send({ ...request, signal: AbortSignal.timeout(200) }))
    for (const call of short) await expect(call).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(performance.now() - beganMs).toBeLessThan(1_000)
    await expect(long).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  test('closes a busy connection after a limited number of requests', async () => {
    const requests = new Map<unknown, number>()
    const { origin } = await serve(({ socket }, response) => {
      requests.set(socket, (requests.get(socket) ?? 0) + 1)
      response.end('{}')
    })
    const send = undiciTo(origin)
    // Requests in sequence use few connections. These are more than so few may carry before they are closed.
    for (let i = 0; i < 5 * MAX_REQUESTS_PER_CONNECTION; i++) await (await send(get)).text()
    // undici sends one more request on a connection, which announces that it is the last.
    expect(Math.max(...requests.values())).toBe(MAX_REQUESTS_PER_CONNECTION + 1)
    // On a busy machine thousands of requests in sequence take longer than a test's usual limit.
  })
})
