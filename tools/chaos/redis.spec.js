import net from 'node:net'
import { listen } from '../dev/listen.js'
import { flushRedis } from './redis.js'

const undo = []
afterEach(() => {
  for (const step of undo.splice(0).reverse()) step()
})

/** The address of a Redis that does this with the connection when it gets a command. */
async function redisThat(answers) {
  const server = net.createServer(socket => socket.on('error', () => {}).once('data', () => answers(socket)))
  undo.push(() => server.close())
  return `redis://127.0.0.1:${await listen(server)}`
}

it('a Redis is flushed when it says so', async () => {
  await expect(flushRedis(await redisThat(socket => socket.end('+OK\r\n')))).resolves.toBeUndefined()
})

it('a Redis that refuses, or closes the connection, is not flushed', async () => {
  const refuses = await redisThat(socket => socket.end('-NOAUTH Authentication required.\r\n'))
  await expect(flushRedis(refuses)).rejects.toThrow('Redis answered "-NOAUTH Authentication required."')
  await expect(flushRedis(await redisThat(socket => socket.end()))).rejects.toThrow('Redis has closed the connection')
})
