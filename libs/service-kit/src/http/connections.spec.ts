import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Connections } from './connections.js'

let server: Server
let connections: Connections
let requests: number
let client: Socket

beforeEach(async () => {
  requests = 0
  server = createServer((_, response) => response.end(String(++requests)))
  connections = new Connections(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await new Promise(resolve => client.once('connect', resolve))
  await ask()
})
afterEach(() => {
  client.destroy()
  server.close()
})

const ask = () => {
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  return new Promise(resolve => client.once('data', resolve))
}

/** Keeps the event loop busy, as other work on the machine does when it takes the processor away. */
function block(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

it('are quiet when nothing has arrived on them for a while', async () => {
  const begun = performance.now()
  await connections.quiet()
  expect(performance.now() - begun).toBeGreaterThan(400)
})

it('are not quiet while requests arrive', async () => {
  let isQuiet = false
  const quiet = connections.quiet().then(() => (isQuiet = true))
  for (let n = 0; n < 3; n++) {
    await sleep(200)
    await ask()
  }
  expect(isQuiet).toBe(false)
  await quiet
})

it('are not quiet while a request waits that the process had no time to read', async () => {
  const quiet = connections.quiet()
  await sleep(100)
  // After this the timers of the wait are due before the event loop reads again.
  await new Promise(resolve => setImmediate(resolve))
  const answered = ask()
  block(1_000)
  await quiet
  expect(requests).toBe(2)
  await answered
})

it('have arrived only when those are accepted for which the process had no time', async () => {
  let accepted = 0
  server.on('connection', () => accepted++)
  const arrived = connections.arrived()
  await new Promise(resolve => setImmediate(resolve))
  const late = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  block(300)
  await arrived
  expect(accepted).toBe(1)
  late.destroy()
})
