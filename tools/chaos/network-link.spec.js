import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventuallyPasses } from '@holdfast/testing/eventually'
import { listen } from '../dev/listen.js'
import { startLink } from './network-link.js'

const undo = []
afterEach(() => {
  for (const step of undo.splice(0).reverse()) step()
})

/** A link to an engine that answers each piece with the same piece. */
async function linkToEcho() {
  const echo = net.createServer(socket => socket.on('error', () => {}).pipe(socket))
  undo.push(() => echo.close())
  const port = await listen(echo)
  const link = await startLink(() => port)
  undo.push(link.close)
  /** How many connections the engine has. */
  const connections = () => new Promise(resolve => echo.getConnections((_, count) => resolve(count)))
  return { ...link, connections }
}

/** A client of a link: `ask` resolves to the answer, or to `nothing` or `closed`. `ask.end` closes the connection. */
function connectTo({ port }) {
  const socket = net.connect(port, '127.0.0.1').on('error', () => {})
  undo.push(() => socket.destroy())
  const ask = text => {
    socket.write(text)
    return Promise.race([
      new Promise(resolve => socket.once('data', bytes => resolve(String(bytes)))),
      new Promise(resolve => (socket.destroyed ? resolve('closed') : socket.once('close', () => resolve('closed')))),
      sleep(200, 'nothing'),
    ])
  }
  ask.end = () => socket.destroy()
  return ask
}

it('passes everything on until it is cut, and new connections after it was mended', async () => {
  const link = await linkToEcho()
  const ask = connectTo(link)
  expect(await ask('a')).toBe('a')
  link.cut('reset')
  expect([await ask('b'), await connectTo(link)('c')]).toEqual(['closed', 'closed'])
  link.mend()
  expect(await connectTo(link)('d')).toBe('d')
})

it('can pass nothing on without ending a connection, and ends those when it is mended', async () => {
  const link = await linkToEcho()
  const ask = connectTo(link)
  expect(await ask('a')).toBe('a')
  link.cut('silent')
  expect([await ask('b'), await connectTo(link)('c')]).toEqual(['nothing', 'nothing'])
  link.mend()
  expect(await ask('d')).toBe('closed')
})

it('ends the connection to the engine when it is mended, also when the client has closed its own meanwhile', async () => {
  const link = await linkToEcho()
  const ask = connectTo(link)
  await ask('a')
  link.cut('silent')
  ask.end()
  await sleep(50)
  expect(await link.connections()).toBe(1)
  link.mend()
  await eventuallyPasses(async () => expect(await link.connections()).toBe(0))
})
