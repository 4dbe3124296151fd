import { createServer, type Server, type Socket, connect as tcpConnect } from 'node:net'

/** A moment on the wire at which something is to happen. */
export interface Moment {
  /** What the client says, by a word that its bytes contain. */
  readonly saying: string
  /** Before the other side hears it, or when the other side has answered and the client has not heard. */
  readonly when: 'before it is heard' | 'after it is done'
  /** Only in a message of at least so many bytes, such as a statement that several commands share. */
  readonly minBytes?: number
}

/** Whether the bytes from the other side are a whole answer. */
export type IsAnswer = (bytes: Buffer) => boolean

/** HTTP: whoever has begun to answer has done what was asked. */
export const anyAnswer: IsAnswer = bytes => bytes.length > 0

/** PostgreSQL's frontend/backend protocol 3.0: after `ReadyForQuery` the statement has committed, or failed. */
export const readyForQuery: IsAnswer = bytes => {
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readUInt32BE(at + 1))
    if (bytes[at] === READY && at + 6 <= bytes.length) return true
  return false
}
const READY = 'Z'.charCodeAt(0)

/** A word may be cut in two by the network: so much of what was said before is looked at again. */
const OVERLAP_BYTES = 64

interface Armed {
  readonly moment: Moment
  readonly strike: () => void
}

/** Stands between a client and a server, passes everything on, and does harm at the moments it is told. */
export class FaultyProxy {
  private readonly pairs = new Set<readonly [Socket, Socket]>()
  private armed: Armed | null = null
  private refusing = false

  private constructor(
    private readonly server: Server,
    private readonly target: { readonly host: string; readonly port: number },
    private readonly isAnswer: IsAnswer,
  ) {
    server.on('connection', client => this.join(client))
  }

  /** @param url of the server behind it; `url` below is the same by way of this proxy */
  static async before(url: string, isAnswer: IsAnswer): Promise<FaultyProxy> {
    const { hostname, port } = new URL(url)
    const server = createServer({ noDelay: true })
    const proxy = new FaultyProxy(server, { host: hostname, port: Number(port) }, isAnswer)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  /** An address of the server behind, by way of this proxy. */
  via(url: string): string {
    const { port } = this.server.address() as { port: number }
    // As text: URL would not take another port for every scheme it does not know.
    return url.replace(
      /(@|\/\/)([^/@]+)(\/|$)/,
      (_, before: string, __, after: string) => `${before}127.0.0.1:${port}${after}`,
    )
  }

  /** Resolves when the moment has come, after `strike` and with that connection silent for ever. */
  at(moment: Moment, strike: () => void): Promise<void> {
    return new Promise(resolve => {
      this.armed = {
        moment,
        strike: () => {
          strike()
          resolve()
        },
      }
    })
  }

  /** Breaks every connection there is. */
  cut(): void {
    for (const pair of this.pairs) {
      for (const socket of pair) {
        // One that ends already, or is not connected yet, has nothing to reset; Node 20 would wait for its end for ever.
        if (socket.readyState === 'open') socket.resetAndDestroy()
        else socket.destroy()
      }
    }
  }

  /** Until told otherwise nobody gets through. */
  refuse(refusing: boolean): void {
    this.refusing = refusing
  }

  async close(): Promise<void> {
    this.cut()
    await new Promise(resolve => this.server.close(resolve))
  }

  private join(client: Socket): void {
    if (this.refusing) return void client.resetAndDestroy()
    const server = tcpConnect({ ...this.target, noDelay: true })
    const pair = [client, server] as const
    this.pairs.add(pair)
    const part = () => {
      this.pairs.delete(pair)
      client.destroy()
      server.destroy()
    }
    for (const socket of pair) socket.on('close', part).on('error', part)
    this.pass(client, server)
  }

  private pass(client: Socket, server: Socket): void {
    let said = Buffer.alloc(0)
    let answer: Buffer[] | null = null
    let struck: Armed | null = null
    client.on('data', bytes => {
      if (struck && !answer) return
      said = Buffer.concat([said.subarray(-OVERLAP_BYTES), bytes])
      const armed = this.takeFor(said, bytes.length)
      if (armed) {
        struck = armed
        if (armed.moment.when === 'before it is heard') return armed.strike()
        answer = []
      }
      server.write(bytes)
    })
    server.on('data', bytes => {
      if (!struck) return void client.write(bytes)
      if (!answer) return
      answer.push(bytes)
      if (!this.isAnswer(Buffer.concat(answer))) return
      answer = null
      struck.strike()
    })
  }

  private takeFor(said: Buffer, bytes: number): Armed | null {
    const { armed } = this
    if (!armed || bytes < (armed.moment.minBytes ?? 0) || !said.includes(armed.moment.saying)) return null
    this.armed = null
    return armed
  }
}
