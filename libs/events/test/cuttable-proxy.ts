import net from 'node:net'
import { endTogether } from './end-together.js'

/** Passes connections on to a server, and cuts and refuses them when a test wants that. */
export class CuttableProxy {
  private readonly sockets = new Set<net.Socket>()
  private server = net.createServer()
  private port = 0

  constructor(private readonly target: { readonly host: string; readonly port: number }) {}

  /** Accepts connections, at the same port each time. @returns the port */
  async open(): Promise<number> {
    this.server = net.createServer(client => {
      const upstream = net.connect(this.target)
      endTogether(this.sockets, client, upstream)
      client.pipe(upstream).pipe(client)
    })
    await new Promise<void>(resolve => this.server.listen(this.port, '127.0.0.1', resolve))
    this.port = (this.server.address() as net.AddressInfo).port
    return this.port
  }

  /** Ends every connection and refuses new ones. */
  async cut(): Promise<void> {
    const closed = new Promise(resolve => this.server.close(resolve))
    for (const socket of this.sockets) socket.destroy()
    await closed
  }
}
