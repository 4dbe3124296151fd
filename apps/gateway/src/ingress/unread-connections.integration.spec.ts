import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { eventually } from '@holdfast/testing/eventually'
import { RunningGateway } from '../../test/running-gateway.js'
import { MAX_UNREAD_MS, UnreadConnections } from './unread-connections.js'

/** Short enough to be sent in one piece. */
const ANSWER = { text: 'x'.repeat(60_000) }
/** Together these answers are larger than the buffers of both sockets, which grow to some megabytes. */
const REQUESTS = 400
const STILL_MS = 1_000
/** Now, in whole milliseconds: a difference between two such times is exact, and the tests look at the exact end of the minute. */
const nowMs = () => Math.ceil(performance.now())

let gateway: RunningGateway
let unread: UnreadConnections
const clients: Socket[] = []
beforeAll(async () => {
  gateway = await new RunningGateway().start()
  gateway.services.on('listing-svc', 'GET', '/api/listings/7', () => ANSWER)
  unread = gateway.running.app.get(UnreadConnections)
  // The tests look themselves, at times that they choose: the gateway's own look could begin the minute before a test does.
  unread.onApplicationShutdown()
})
afterAll(async () => {
  for (const client of clients) client.destroy()
  await gateway.stop()
})

/** Opens a connection and sends requests on it. Returns the client, which reads nothing yet, and the server's side. */
async function ask(count: number): Promise<{ client: Socket; socket: Socket }> {
  const accepted = once(gateway.running.app.getHttpServer() as Server, 'connection')
  const client = connect(gateway.running.port, '127.0.0.1').on('error', () => {})
  clients.push(client)
  client.write('GET /api/listings/7 HTTP/1.1\r\nhost: localhost:21700\r\n\r\n'.repeat(count))
  const [socket] = (await accepted) as [Socket]
  return { client, socket }
}

/**
 * Waits until the system takes no more bytes. It may also take none for a moment, while the gateway waits for its next answer or
 * the system enlarges a buffer. So it must have taken none for a second.
 */
async function fillBuffers(socket: Socket): Promise<void> {
  let before = -1
  let since = performance.now()
  await eventually(() => {
    const sent = socket.bytesWritten - socket.writableLength
    if (sent !== before || socket.writableLength === 0) since = performance.now()
    before = sent
    return performance.now() - since > STILL_MS
  }, 20_000)
}

describe('a connection whose client does not read its answers', () => {
  it('is closed after a minute', async () => {
    const { socket } = await ask(REQUESTS)
    await fillBuffers(socket)
    const begun = nowMs()
    unread.look(begun)
    unread.look(begun + MAX_UNREAD_MS - 1)
    expect(socket.destroyed).toBe(false)
    unread.look(begun + MAX_UNREAD_MS)
    expect(socket.destroyed).toBe(true)
  })

  it('is kept when the client has read something meanwhile', async () => {
    const { client, socket } = await ask(REQUESTS)
    await fillBuffers(socket)
    const begun = nowMs()
    unread.look(begun)
    const sent = socket.bytesWritten - socket.writableLength
    client.resume()
    await eventually(() => socket.bytesWritten - socket.writableLength > sent)
    unread.look(begun + MAX_UNREAD_MS)
    expect(socket.destroyed).toBe(false)
  })

  it('is kept while nothing waits for the client', async () => {
    const { socket } = await ask(1)
    await eventually(() => socket.bytesWritten > ANSWER.text.length && socket.writableLength === 0)
    const begun = nowMs()
    unread.look(begun)
    unread.look(begun + MAX_UNREAD_MS)
    expect(socket.destroyed).toBe(false)
  })
})
