import http from 'node:http'
import net from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { startBalancer } from './balancer.js'

const undo = []
afterEach(() => {
  for (const step of undo.splice(0).reverse()) step()
})

/** A replica that answers with its name. */
async function replica(name) {
  const server = http.createServer((_, answer) => answer.end(name))
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  undo.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  return server.address().port
}

/** A port at which nothing listens. */
async function closedPort() {
  const server = net.createServer()
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise(resolve => server.close(resolve))
  return port
}

async function balance(ports) {
  const port = await closedPort()
  undo.push(await startBalancer({ host: '127.0.0.1', port }, ports))
  return async () => {
    const answer = await fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } })
    return answer.text()
  }
}

it('passes connections on to the replicas in turn', async () => {
  const ask = await balance([await replica('a'), await replica('b')])
  expect([await ask(), await ask(), await ask(), await ask()]).toEqual(['a', 'b', 'a', 'b'])
})

it('leaves out a replica that does not listen', async () => {
  const ask = await balance([await closedPort(), await replica('b')])
  expect([await ask(), await ask()]).toEqual(['b', 'b'])
})

it('closes the connection when no replica listens', async () => {
  const ask = await balance([await closedPort(), await closedPort()])
  await expect(ask()).rejects.toThrow()
})
