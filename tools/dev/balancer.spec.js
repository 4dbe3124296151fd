import { spawn } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { startBalancer } from './balancer.js'
import { listen } from './listen.js'

const undo = []
afterEach(() => {
  for (const step of undo.splice(0).reverse()) step()
})

/** A process with room for one waiting connection, which prints its port. */
const BUSY = `require('node:http').createServer((_, answer) => answer.end('busy'))
  .listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () { console.log(this.address().port) })`

/** A replica that answers with its name. */
async function replica(name) {
  const server = http.createServer((_, answer) => answer.end(name))
  const port = await listen(server)
  undo.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  return port
}

/** A port at which nothing listens. */
async function closedPort() {
  const server = net.createServer()
  const port = await listen(server)
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

const onLinux = process.platform === 'linux' ? it : it.skip

it('passes connections on to the replicas in turn', async () => {
  const ask = await balance([await replica('a'), await replica('b')])
  expect([await ask(), await ask(), await ask(), await ask()]).toEqual(['a', 'b', 'a', 'b'])
})

onLinux("shows the client's address to the replica", async () => {
  const server = net.createServer(socket => socket.end(String(socket.remoteAddress)))
  const replicaPort = await listen(server)
  undo.push(() => server.close())
  const port = await closedPort()
  undo.push(await startBalancer({ host: '127.0.0.1', port }, [replicaPort]))
  const client = net.connect({ port, host: '127.0.0.1', localAddress: '127.0.0.9' })
  const [address] = await once(client, 'data')
  expect(String(address)).toBe('127.0.0.9')
})

it('leaves out a replica that does not listen', async () => {
  const ask = await balance([await closedPort(), await replica('b')])
  expect([await ask(), await ask()]).toEqual(['b', 'b'])
})

it('waits for a replica that is too busy to accept connections', async () => {
  const busy = spawn(process.execPath, ['-e', BUSY], { stdio: ['ignore', 'pipe', 'inherit'] })
  undo.push(() => busy.kill('SIGKILL'))
  const port = await new Promise(resolve => busy.stdout.once('data', text => resolve(Number(text))))
  busy.kill('SIGSTOP')
  // They fill the queue of the stopped process, so the system drops the next connection until it goes on.
  for (let n = 0; n < 4; n++) {
    const waiting = net.connect(port, '127.0.0.1').on('error', () => {})
    undo.push(() => waiting.destroy())
  }
  const ask = await balance([port])
  const asked = ask()
  setTimeout(() => busy.kill('SIGCONT'), 1_500)
  expect(await asked).toBe('busy')
})

it('closes the connection when no replica listens', async () => {
  const ask = await balance([await closedPort(), await closedPort()])
  await expect(ask()).rejects.toThrow()
})
