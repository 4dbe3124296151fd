import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Forwards each connection to the port in its first argument, and prints the port it listens on. */
const PROXY = `
  const net = require('node:net')
  const server = net.createServer(client => {
    const service = net.connect(Number(process.argv[1]), '127.0.0.1')
    client.pipe(service).pipe(client)
    client.on('error', () => service.destroy())
    service.on('error', () => client.destroy())
  })
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))`

/**
 * A process of its own in front of a service of the test. Stopping it has the effect of a stopped service: the kernel accepts
 * its connections, and nothing ever answers.
 */
export class StoppableProxy {
  private constructor(
    private readonly child: ChildProcess,
    readonly origin: string,
  ) {}

  /** @param origin of the service, such as `http://127.0.0.1:4001` */
  static async before(origin: string): Promise<StoppableProxy> {
    const child = spawn(process.execPath, ['-e', PROXY, new URL(origin).port], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(child.stdout!, 'data')) as [Buffer]
    return new StoppableProxy(child, `http://127.0.0.1:${Number(line.toString())}`)
  }

  stop(): void {
    this.child.kill('SIGSTOP')
  }

  resume(): void {
    this.child.kill('SIGCONT')
  }

  async end(): Promise<void> {
    const ended = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await ended
  }
}
