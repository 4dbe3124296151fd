import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { RedisStore } from './redis-store.js'

let server: Server | undefined
let store: RedisStore | undefined
afterEach(() => {
  store?.disconnect()
  server?.close()
})

/** Where Redis refuses eviction, at a server whose INFO has these lines about memory. */
async function storeAt(memory: string): Promise<RedisStore> {
  const info = `$${memory.length}\r\n${memory}\r\n`
  server = createServer(socket => {
    socket.on('data', chunk => {
      for (const [, command] of String(chunk).matchAll(/^\*\d+\r\n\$\d+\r\n(\w+)/gm))
        socket.write(command === 'info' ? info : '+OK\r\n')
    })
    socket.on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  store = new RedisStore({ url: `redis://127.0.0.1:${port}`, refusesEviction: true })
  return store
}

describe('a Redis', () => {
  it('that does not tell its policy is used', async () => {
    const redis = await storeAt('maxmemory:0\r\n')
    await redis.open()
    expect(redis.usable).toBe(true)
  })

  it('with a policy that evicts is refused', async () => {
    const redis = await storeAt('maxmemory:0\r\nmaxmemory_policy:allkeys-lru\r\n')
    await expect(redis.open()).rejects.toThrow('maxmemory-policy allkeys-lru')
    expect(redis.usable).toBe(false)
  })
})
