import net from 'node:net'

/** A replica that takes longer to accept a connection is left out for now. */
const CONNECT_WITHIN_MS = 1_000

/**
 * Listens at an address and passes each connection on to one of several ports of this machine, in turn, as a Kubernetes Service does. A
 * port that refuses is left out, so that a replica that restarts costs no connection. When every port refuses, the connection is closed.
 * One that only takes long is busy, so the client waits for as long as it wants to. On Linux the replica sees the address of a client on this
 * machine, because the gateway limits what one address may do at a time. Answers what stops it.
 * @param {{ host: string, port: number }} address
 * @param {readonly number[]} ports
 * @returns {Promise<() => void>}
 */
export async function startBalancer({ host, port }, ports) {
  const open = new Set()
  let turn = 0
  const server = net.createServer(client => {
    open.add(client)
    client.once('close', () => open.delete(client))
    // Without a listener the reset of a connection would end the launcher.
    client.once('error', () => client.destroy())
    connect(client, ports, turn++)
  })
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => resolve(undefined))
  })
  return () => {
    server.close()
    for (const client of open) client.destroy()
  }
}

/** @param refused how many replicas in a row have refused the connection */
function connect(client, ports, turn, refused = 0) {
  if (refused === ports.length || client.destroyed) return client.destroy()
  const replica = net.connect({
    host: '127.0.0.1',
    port: ports[turn % ports.length],
    // Only an address of this machine can be used again.
    localAddress: client.remoteAddress?.startsWith('127.') ? client.remoteAddress : undefined,
    timeout: CONNECT_WITHIN_MS,
  })
  const refusedHere = () => connect(client, ports, turn + 1, refused + 1)
  const busy = () => {
    replica.destroy()
    connect(client, ports, turn + 1)
  }
  replica.once('error', refusedHere)
  replica.once('timeout', busy)
  replica.once('connect', () => {
    replica.off('error', refusedHere)
    replica.off('timeout', busy)
    replica.setTimeout(0)
    const end = () => {
      client.destroy()
      replica.destroy()
    }
    for (const socket of [client, replica]) {
      socket.setNoDelay(true)
      socket.on('error', end)
      socket.once('close', end)
    }
    client.pipe(replica).pipe(client)
  })
}
