import net from 'node:net'
import { endTogether } from './end-together.js'

/** The number of Kafka's request that writes events. */
const PRODUCE = 0

/** Passes connections on to a broker, and can lose its answer to a request that writes events. */
export class LostAnswers {
  /** Whether the next such answer is lost: the connection ends in its place. */
  losesNext = false
  private readonly sockets = new Set<net.Socket>()
  private readonly server = net.createServer()

  /** @returns the port at which the broker is reached through it */
  async open(port: number): Promise<number> {
    this.server.on('connection', client => this.pass(client, net.connect(port, '127.0.0.1')))
    await new Promise<void>(resolve => this.server.listen(0, '127.0.0.1', resolve))
    return (this.server.address() as net.AddressInfo).port
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy()
    this.server.close()
  }

  private pass(client: net.Socket, broker: net.Socket): void {
    endTogether(this.sockets, client, broker)
    // A request begins with its length, its kind, the version of the kind, and its number; an answer with its length and that number.
    const writes = new Set<number>()
    eachFrame(client, frame => {
      if (frame.readInt16BE(4) === PRODUCE) writes.add(frame.readInt32BE(8))
      broker.write(frame)
    })
    eachFrame(broker, frame => {
      const isLost = this.losesNext && writes.has(frame.readInt32BE(4))
      if (!isLost) return void client.write(frame)
      this.losesNext = false
      client.destroy()
    })
  }
}

function eachFrame(socket: net.Socket, handle: (frame: Buffer) => void): void {
  let rest: Buffer = Buffer.alloc(0)
  socket.on('data', chunk => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 4 && rest.length >= 4 + rest.readInt32BE(0)) {
      const end = 4 + rest.readInt32BE(0)
      handle(rest.subarray(0, end))
      rest = rest.subarray(end)
    }
  })
}
