import net from 'node:net'
import { listen } from '../dev/listen.js'
import { Connection } from './connection.js'

const undo = []
afterEach(() => {
  for (const step of undo.splice(0)) step()
})

const answer = (...headers) => ['HTTP/1.1 200 OK', ...headers, 'Content-Length: 2', '', 'ok'].join('\r\n')

/** A connection to a server that does with its requests, over all connections, what these say in turn. Answers how to send one. */
async function connectTo(...turns) {
  let opened = 0
  const server = net.createServer(socket => {
    opened++
    socket.on('error', () => {}).on('data', () => turns.shift()(socket))
  })
  const connection = new Connection(await listen(server))
  undo.push(
    () => server.close(),
    () => connection.close(),
  )
  const ask = () => new Promise(resolve => connection.send('GET / HTTP/1.1\r\n\r\n', resolve))
  return { ask, connection, opened: () => opened }
}

const succeeds = socket => socket.write(answer())
const closes = socket => socket.destroy()

it('is used for one request after the other', async () => {
  const { ask, opened } = await connectTo(succeeds, succeeds)
  expect([await ask(), await ask(), opened()]).toEqual([null, null, 1])
})

it('is left when the server says that it closes it', async () => {
  const lastAnswer = socket => socket.write(answer('Connection: close'))
  const { ask, connection, opened } = await connectTo(lastAnswer, succeeds)
  expect([await ask(), await ask(), opened(), connection.sentAgain]).toEqual([null, null, 2, 0])
})

it('sends a request again when the server has closed it meanwhile', async () => {
  const { ask, connection } = await connectTo(succeeds, closes, succeeds)
  expect([await ask(), await ask(), connection.sentAgain]).toEqual([null, null, 1])
})

it('sends a request again once only, and not at all when it was new or a part of the answer has come', async () => {
  const twice = await connectTo(succeeds, closes, closes)
  expect([await twice.ask(), await twice.ask()]).toEqual([null, expect.stringMatching('closed')])
  const fresh = await connectTo(closes)
  expect(await fresh.ask()).toMatch('closed')
  const cut = await connectTo(succeeds, socket => socket.end('HTTP/1.1 200'))
  expect([await cut.ask(), await cut.ask(), cut.connection.sentAgain]).toEqual([
    null,
    expect.stringMatching('closed'),
    0,
  ])
})
