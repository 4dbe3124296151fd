import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { limitConnections, MAX_CONNECTIONS_PER_ADDRESS } from './connections.js'

class FakeSocket extends EventEmitter {
  readonly remoteAddress = '192.0.2.1'
  isClosed = false

  destroy(): void {
    this.isClosed = true
    this.emit('close')
  }
}

test('a connection whose request has just been answered has waited less than the others', () => {
  const server = new EventEmitter()
  limitConnections(server as Server, () => false)
  const open = () => {
    const socket = new FakeSocket()
    server.emit('connection', socket)
    return socket
  }
  const sockets = Array.from({ length: MAX_CONNECTIONS_PER_ADDRESS }, open)
  const answer = new EventEmitter()
  server.emit('request', { socket: sockets[0] }, answer)
  answer.emit('close')
  expect(sockets.filter(({ isClosed }) => isClosed)).toEqual([])
  open()
  expect(sockets.map(({ isClosed }) => isClosed).indexOf(true)).toBe(1)
})
