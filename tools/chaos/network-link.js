import net from 'node:net'
import { listen } from '../dev/listen.js'

/**
 * Stands between the product and an engine, and cuts the network between them on demand. Answers `{ port, cut, mend, close }`: where the
 * product reaches the engine; `cut('reset')` ends every connection and every new one; `cut('silent')` passes nothing on and ends nothing,
 * as a network does that drops packets; `mend()` lets new connections through, and ends those that lost bytes.
 * @param {() => number | null} target the engine's port; null while it has none
 */
export async function startLink(target) {
  /**
   * How the network is cut.
   *
   * @type {'reset' | 'silent' | null}
   */
  let state = null
  /** The sockets of clients and of the engine. */
  const open = new Set()
  const keep = socket => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    socket.on('error', () => socket.destroy())
  }
  const endAll = () => {
    for (const socket of open) socket.destroy()
  }
  const server = net.createServer(client => {
    keep(client)
    if (state === 'silent') return
    const port = state === null ? target() : null
    if (port === null) return void client.destroy()
    const engine = net.connect({ host: '127.0.0.1', port, noDelay: true })
    keep(engine)
    client.setNoDelay(true)
    client.once('close', () => state !== 'silent' && engine.destroy())
    engine.once('close', () => state !== 'silent' && client.destroy())
    client.on('data', bytes => state === null && engine.write(bytes))
    engine.on('data', bytes => state === null && client.write(bytes))
  })
  return {
    port: await listen(server),
    cut(how) {
      state = how
      if (how === 'reset') endAll()
    },
    mend() {
      state = null
      endAll()
    },
    close() {
      server.close()
      endAll()
    },
  }
}
