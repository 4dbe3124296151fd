import net from 'node:net'

/**
 * Stands between the product and an engine, and cuts the network between them on demand. Answers `{ port, cut, mend, close }`: where the
 * product reaches the engine; `cut('reset')` ends every connection and every new one; `cut('silent')` passes nothing on and ends nothing,
 * as a network does that drops packets; `mend()` lets new connections through, and ends those that lost bytes.
 * @param {() => number | null} target the engine's port; null while it has none
 */
export async function startLink(target) {
  /** How the network is cut: null, `reset` or `silent`. */
  let state = null
  const open = new Set()
  const endAll = () => {
    for (const socket of open) socket.destroy()
  }
  const server = net.createServer(client => {
    open.add(client)
    client.once('close', () => open.delete(client))
    client.once('error', () => client.destroy())
    if (state === 'silent') return
    const port = state === null ? target() : null
    if (port === null) return void client.destroy()
    const engine = net.connect({ host: '127.0.0.1', port, noDelay: true })
    client.setNoDelay(true)
    for (const socket of [client, engine]) {
      socket.on('error', () => socket.destroy())
      socket.once('close', () => (state === 'silent' ? null : [client, engine].map(each => each.destroy())))
    }
    client.on('data', bytes => state === null && engine.write(bytes))
    engine.on('data', bytes => state === null && client.write(bytes))
  })
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: '127.0.0.1', port: 0 }, resolve)
  })
  return {
    port: server.address().port,
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
