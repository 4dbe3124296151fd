import { createServer, type Server, type Socket, connect as tcpConnect } from 'node:net'

/** The request at which a fault happens, and whether the fault comes before or after the server handles it. */
export interface FaultPoint {
  /** The request is the next one whose bytes contain this text. */
  readonly text: string
  /** In both cases the client gets no answer. In the second case the server has done what was asked. */
  readonly when: 'before the request is delivered' | 'after the request is answered'
  /** The request has at least this many bytes, such as a statement that several commands share. */
  readonly minBytes?: number
}

/** Whether the bytes that a server has sent are a complete answer. */
export type IsAnswer = (bytes: Buffer) => boolean

/** For HTTP: a server that begins to answer has handled the request. */
export const anyAnswer: IsAnswer = bytes => bytes.length > 0

/** PostgreSQL's frontend/backend protocol 3.0: at `ReadyForQuery` the statement has committed or failed. */
export const readyForQuery: IsAnswer = bytes => {
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readUInt32BE(at + 1))
    if (bytes[at] === READY && at + 6 <= bytes.length) return true
  return false
}
const READY = 'Z'.charCodeAt(0)

/** The text of a fault point may be split over two packets, so the end of the first is searched again with the second. */
const OVERLAP_BYTES = 64

interface ArmedFault {
  readonly point: FaultPoint
  readonly trigger: () => void
}

/** A TCP proxy that forwards everything and injects faults: lost answers, broken connections, refused connections. */
export class FaultyProxy {
  private readonly connections = new Set<readonly [Socket, Socket]>()
  private armed: ArmedFault | null = null
  private refusing = false

  private constructor(
    private readonly server: Server,
    private readonly target: { readonly host: string; readonly port: number },
    private readonly isAnswer: IsAnswer,
  ) {
    server.on('connection', client => this.connect(client))
  }

  /** Starts a proxy for the server of a URL. Clients reach the server through the proxy by `urlOf(url)`. */
  static async inFrontOf(url: string, isAnswer: IsAnswer): Promise<FaultyProxy> {
    const { hostname, port } = new URL(url)
    const server = createServer({ noDelay: true })
    const proxy = new FaultyProxy(server, { host: hostname, port: Number(port) }, isAnswer)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  /** The same URL with the proxy's host and port. */
  urlOf(url: string): string {
    const { port } = this.server.address() as { port: number }
    // By text, because `URL` does not change the port of a scheme that it does not know.
    return url.replace(
      /(@|\/\/)([^/@]+)(\/|$)/,
      (_, before: string, __, after: string) => `${before}127.0.0.1:${port}${after}`,
    )
  }

  /**
   * Arms one fault. At the fault point `trigger` is called, and its connection carries nothing more.
   *
   * @returns a promise that resolves after `trigger` was called
   */
  faultAt(point: FaultPoint, trigger: () => void): Promise<void> {
    return new Promise(resolve => {
      this.armed = {
        point,
        trigger: () => {
          trigger()
          resolve()
        },
      }
    })
  }

  /** Resets every open connection. */
  breakConnections(): void {
    for (const sockets of this.connections) {
      for (const socket of sockets) {
        // A socket that is closing or not connected yet cannot be reset: on Node 20 `resetAndDestroy` would never finish.
        if (socket.readyState === 'open') socket.resetAndDestroy()
        else socket.destroy()
      }
    }
  }

  /** Refuses new connections, or accepts them again. */
  refuse(refusing: boolean): void {
    this.refusing = refusing
  }

  async close(): Promise<void> {
    this.breakConnections()
    await new Promise(resolve => this.server.close(resolve))
  }

  private connect(client: Socket): void {
    if (this.refusing) return void client.resetAndDestroy()
    const server = tcpConnect({ ...this.target, noDelay: true })
    const sockets = [client, server] as const
    this.connections.add(sockets)
    const disconnect = () => {
      this.connections.delete(sockets)
      client.destroy()
      server.destroy()
    }
    for (const socket of sockets) socket.on('close', disconnect).on('error', disconnect)
    this.forward(client, server)
  }

  private forward(client: Socket, server: Socket): void {
    let sent = Buffer.alloc(0)
    let answer: Buffer[] | null = null
    let fault: ArmedFault | null = null
    client.on('data', bytes => {
      if (fault && !answer) return
      sent = Buffer.concat([sent.subarray(-OVERLAP_BYTES), bytes])
      const armed = this.takeFault(sent, bytes.length)
      if (armed) {
        fault = armed
        if (armed.point.when === 'before the request is delivered') return armed.trigger()
        answer = []
      }
      server.write(bytes)
    })
    server.on('data', bytes => {
      if (!fault) return void client.write(bytes)
      if (!answer) return
      answer.push(bytes)
      if (!this.isAnswer(Buffer.concat(answer))) return
      answer = null
      fault.trigger()
    })
  }

  /** The armed fault, if these bytes are its request. It happens once. */
  private takeFault(sent: Buffer, bytes: number): ArmedFault | null {
    const { armed } = this
    if (!armed || bytes < (armed.point.minBytes ?? 0) || !sent.includes(armed.point.text)) return null
    this.armed = null
    return armed
  }
}
