import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { REPLICA_ENDS_HEADER, REPLICA_HEADER } from '@holdfast/http-client/replica-connection'

type Answer = (this: FakeReplica, request: IncomingMessage, body: string, response: ServerResponse) => void

/** A process that names itself in its answers. While it hangs it answers nothing, as a paused process does. */
export class FakeReplica {
  hangs = false
  /** Whether it begins to hang when it gets this request. */
  hangsFrom = (_: IncomingMessage): boolean => false
  /** Whether its answers say that it is about to end. */
  ends = false
  /** Method and path of every request but health checks. */
  readonly requests: string[] = []
  /** Those whose caller has closed the connection before the answer, as it does at the time limit of a call. */
  readonly givenUp: string[] = []
  readonly #held: (() => void)[] = []
  readonly #server = createServer(async (request, response) => {
    const body = await text(request)
    if (request.url !== '/healthz') {
      const name = `${request.method} ${request.url}`
      this.requests.push(name)
      response.once('close', () => response.writableEnded || this.givenUp.push(name))
    }
    const answer = () => {
      if (this.ends) response.setHeader(REPLICA_ENDS_HEADER, '1').setHeader('connection', 'close')
      this.answer(request, body, response.setHeader(REPLICA_HEADER, this.name))
    }
    this.hangs ||= this.hangsFrom(request)
    if (this.hangs) this.#held.push(answer)
    else answer()
  })

  /** @param answer replaces the answer, which is the name */
  constructor(
    readonly name: string,
    private readonly answer: Answer = (_, __, response) => response.end(name),
  ) {}

  async listen(): Promise<number> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve))
    return (this.#server.address() as AddressInfo).port
  }

  /** How many connections are open. */
  connections(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.#server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    )
  }

  goOn(): void {
    this.hangs = false
    for (const answer of this.#held.splice(0)) answer()
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

/**
 * Replicas behind one address, which leads each connection to the next one in turn.
 *
 * @returns the address, and a function that closes all of them
 */
export async function behindOneAddress(
  replicas: readonly FakeReplica[],
): Promise<{ readonly origin: string; readonly close: () => void }> {
  const ports = await Promise.all(replicas.map(replica => replica.listen()))
  let turn = 0
  const address = net.createServer(client => {
    const replica = net.connect(ports[turn++ % ports.length]!, '127.0.0.1')
    for (const [socket, other] of [
      [client, replica],
      [replica, client],
    ] as const)
      socket.on('error', () => other.destroy())
    client.pipe(replica).pipe(client)
  })
  await new Promise<void>(resolve => address.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(address.address() as AddressInfo).port}`,
    close: () => {
      address.close()
      for (const replica of replicas) replica.close()
    },
  }
}
