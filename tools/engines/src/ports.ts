import { randomInt } from 'node:crypto'
import net from 'node:net'

/**
 * Outgoing connections get ports above this range, and launchers of the product from 20,000 on (tools/dev/ports.js). Either could take the
 * port of an engine that was killed before it starts again.
 */
const [FIRST_PORT, LAST_PORT] = [10_000, 19_999]
const PORT_ATTEMPTS = 100

/** A port of this machine that was free a moment ago, and that no outgoing connection takes. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < PORT_ATTEMPTS; attempt++) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port found from ${FIRST_PORT} to ${LAST_PORT}`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = net.createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    )
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** Whether something accepts connections at the port. */
export function answersAt(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = net.connect({ host: '127.0.0.1', port })
    const answer = (answers: boolean): void => {
      socket.destroy()
      resolve(answers)
    }
    socket.once('connect', () => answer(true))
    socket.once('error', () => answer(false))
  })
}
