import { createServer, type Server, type Socket, connect as tcpConnect } from 'node:net'

/**
 * A proxy for a server on this machine. After `mute`, the connections that exist stay open and carry nothing more, as when a
 * machine has gone without a word. New connections work.
 */
export class MutingProxy {
  private readonly pairs = new Set<readonly [Socket, Socket]>()

  private constructor(
    private readonly server: Server,
    private readonly port: number,
  ) {
    server.on('connection', client => this.join(client))
  }

  static async before(url: string): Promise<MutingProxy> {
    const server = createServer({ noDelay: true })
    const proxy = new MutingProxy(server, Number(new URL(url).port))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.server.address() as { port: number }).port}`
  }

  mute(): void {
    for (const pair of this.pairs) for (const socket of pair) socket.unpipe().pause()
  }

  async close(): Promise<void> {
    for (const pair of this.pairs) for (const socket of pair) socket.destroy()
    await new Promise(resolve => this.server.close(resolve))
  }

  private join(client: Socket): void {
    const server = tcpConnect({ host: '127.0.0.1', port: this.port, noDelay: true })
    const pair = [client, server] as const
    this.pairs.add(pair)
    for (const socket of pair)
      socket
        .on('error', () => undefined)
        .on('close', () => {
          this.pairs.delete(pair)
          for (const each of pair) each.destroy()
        })
    client.pipe(server)
    server.pipe(client)
  }
}
