import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Whoever has just connected is about to say something; so long they may take. */
const SILENCE_MS = 1_000
const LOOK_EVERY_MS = 100

/**
 * Ends, from the moment it is told to, connections on which nothing has ever arrived. Browsers open such in advance; Node
 * counts them as busy until they time out, and a server that closes would wait a minute for them.
 *
 * @returns begins to end them, and answers how to stop looking
 */
export function watchSilentConnections(server: Server): () => () => void {
  const openSince = new Map<Socket, number>()
  server.on('connection', (socket: Socket) => {
    openSince.set(socket, performance.now())
    socket.once('close', () => openSince.delete(socket))
  })
  const endSilent = () => {
    const longAgo = performance.now() - SILENCE_MS
    for (const [socket, since] of openSince) if (socket.bytesRead === 0 && since < longAgo) socket.destroy()
  }
  return () => {
    const looking = setInterval(endSilent, LOOK_EVERY_MS)
    return () => clearInterval(looking)
  }
}
