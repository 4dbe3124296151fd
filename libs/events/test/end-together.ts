import type net from 'node:net'

/** Lets two connections of a proxy end together, however one of them ends. Until then both are in `open`. */
export function endTogether(open: Set<net.Socket>, client: net.Socket, server: net.Socket): void {
  for (const [socket, other] of [
    [client, server],
    [server, client],
  ] as const) {
    open.add(socket)
    socket.on('error', () => other.destroy())
    socket.on('close', () => {
      open.delete(socket)
      other.destroy()
    })
  }
}
