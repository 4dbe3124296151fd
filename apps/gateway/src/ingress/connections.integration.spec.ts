import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { RunningGateway } from '../../test/running-gateway.js'
import { MAX_CONNECTIONS_PER_ADDRESS } from './connections.js'

const MORE = 20

let gateway: RunningGateway
const sockets: Socket[] = []
afterAll(async () => {
  for (const each of sockets) each.destroy()
  await gateway.stop()
})

/** Opens connections that send the beginning of a header, and no more. */
async function sendHeadersSlowly(count: number): Promise<Socket[]> {
  const opened = Array.from({ length: count }, () => connect(gateway.running.port, '127.0.0.1'))
  for (const socket of opened) socket.on('error', () => {}).write('GET / HTTP/1.1\r\nhost: ')
  sockets.push(...opened)
  await Promise.all(opened.map(socket => once(socket, 'connect')))
  return opened
}

const status = async (path = '/healthz') => (await gateway.ask('GET', path)).status

describe('connections of one address that wait for their request', () => {
  it('are limited: the one that waits longest is closed, and an honest request is answered', async () => {
    gateway = await new RunningGateway().start()
    const slow = await sendHeadersSlowly(MAX_CONNECTIONS_PER_ADDRESS)
    const ended = slow.slice(0, MORE).map(socket => once(socket, 'close'))
    await sendHeadersSlowly(MORE)
    expect(await status()).toBe(200)
    await Promise.all(ended)
    expect(slow.filter(socket => socket.closed).length).toBeLessThanOrEqual(MORE + 1)
  })

  it('are closed before one whose request is handled', async () => {
    const { services } = gateway
    const { token } = services.signIn()
    let finish = () => {}
    const begun = new Promise<void>(begin => {
      services.on('escrow-svc', 'GET', '/api/transactions/7/timeline', async () => {
        await new Promise<void>(resolve => {
          finish = resolve
          begin()
        })
        return []
      })
    })
    const answer = gateway.ask('GET', '/api/transactions/7/timeline', { token })
    await begun
    await sendHeadersSlowly(MAX_CONNECTIONS_PER_ADDRESS + MORE)
    finish()
    expect((await answer).status).toBe(200)
  })

  it('are not limited when they come from a trusted proxy', async () => {
    await gateway.stop()
    gateway = await new RunningGateway().start({ TRUSTED_PROXIES: 'loopback' })
    const slow = await sendHeadersSlowly(MAX_CONNECTIONS_PER_ADDRESS + MORE)
    expect(await status()).toBe(200)
    expect(slow.filter(socket => socket.closed)).toEqual([])
  })
})
