import { createServer, type Server, type Socket, connect as tcpConnect } from 'node:net'

/** PostgreSQL's frontend/backend protocol 3.0: the last message of a connection that is ready for its first query. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])

/** The message with which PostgreSQL ends a session: a fatal error, 57P01. */
const ENDED = (() => {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0')
  const header = Buffer.alloc(5)
  header.write('E')
  header.writeUInt32BE(4 + fields.length, 1)
  return Buffer.concat([header, fields])
})()

/** A proxy for PostgreSQL. It ends the first connections in the packet that says they are ready. */
export class EndingProxy {
  ended = 0
  private readonly sockets = new Set<Socket>()

  private constructor(
    private readonly server: Server,
    private readonly target: { readonly host: string; readonly port: number },
    private readonly most: number,
  ) {
    server.on('connection', client => this.join(client))
  }

  /** @param most how many connections are ended; later ones stay open */
  static async before(url: string, most: number): Promise<EndingProxy> {
    const { hostname, port } = new URL(url)
    const server = createServer({ noDelay: true })
    const proxy = new EndingProxy(server, { host: hostname, port: Number(port) }, most)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  /** A URL of the server, changed to go through this proxy. */
  via(url: string): string {
    const through = new URL(url)
    through.hostname = '127.0.0.1'
    through.port = String((this.server.address() as { port: number }).port)
    return through.href
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    await new Promise(resolve => this.server.close(resolve))
  }

  private join(client: Socket): void {
    const server = tcpConnect({ ...this.target, noDelay: true })
    const part = () => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      this.sockets.add(socket)
      socket.on('error', part).on('close', () => this.sockets.delete(socket) && part())
    }
    client.pipe(server, { end: false })
    server.on('data', bytes => {
      if (this.ended >= this.most || !bytes.subarray(-READY.length).equals(READY)) return void client.write(bytes)
      this.ended++
      client.end(Buffer.concat([bytes, ENDED]))
    })
  }
}
