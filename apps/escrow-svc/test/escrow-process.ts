import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { builtService } from './built-service.js'
import { DealDriver } from './deal-driver.js'
import { anyAnswer, FaultyProxy, type Moment, readyForQuery } from './faulty-proxy.js'
import { Surroundings } from './surroundings.js'

const START_WITHIN_MS = 90_000
/** The last words of a process that did not start. */
const LAST_LINES = 20

/** What the one who asked learnt: an answer, or nothing at all. */
export type Heard<T> = { readonly answered: T } | 'nothing'

/**
 * escrow-svc as a process of its own, as it is deployed, with a proxy before its database and one before its provider:
 * it can be killed at any moment that can be seen on the wire.
 */
export class EscrowProcess extends DealDriver {
  private child: ChildProcess | null = null
  private listening = 0

  private constructor(
    surroundings: Surroundings,
    private readonly main: string,
    private readonly proxies: { readonly database: FaultyProxy; readonly provider: FaultyProxy },
  ) {
    super(surroundings)
  }

  static async start(): Promise<EscrowProcess> {
    const main = await builtService()
    const surroundings = await Surroundings.start()
    const database = await FaultyProxy.before(surroundings.databaseUrl(), readyForQuery)
    const provider = await FaultyProxy.before(surroundings.origin, anyAnswer)
    const escrow = new EscrowProcess(surroundings, main, { database, provider })
    await escrow.boot()
    return escrow
  }

  protected get port(): number {
    return this.listening
  }

  /** Starts the service again. Resolves when it serves. */
  async boot(): Promise<void> {
    const { database, provider } = this.proxies
    const { surroundings } = this
    const detours = {
      databaseUrl: database.via(surroundings.databaseUrl()),
      providerUrl: provider.via(surroundings.origin),
    }
    const child = spawn(process.execPath, [this.main], {
      env: { PATH: process.env.PATH, ...surroundings.environment(detours) },
      // By the channel it learns of our own end, and ends as well.
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    this.child = child
    this.listening = await listeningPort(child)
  }

  /** Kills the service, without a chance to do anything more. Resolves when it is gone. */
  async kill(): Promise<void> {
    const { child } = this
    if (!child) return
    this.child = null
    const gone = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
    this.proxies.database.cut()
    this.proxies.provider.cut()
  }

  /**
   * Lets something happen that kills the service at a moment, and starts it again.
   *
   * @returns what the one who asked heard of it
   */
  async killedAt<T>(where: 'database' | 'provider', moment: Moment, ask: () => Promise<T>): Promise<Heard<T>> {
    let killed: Promise<void> | undefined
    const struck = this.proxies[where].at(moment, () => {
      killed = this.kill()
    })
    const asked = ask().then(
      (answered): Heard<T> => ({ answered }),
      (): Heard<T> => 'nothing',
    )
    await struck
    await killed
    const heard = await asked
    await this.boot()
    return heard
  }

  async stop(): Promise<void> {
    await this.kill()
    await this.proxies.database.close()
    await this.proxies.provider.close()
    await this.surroundings.stop()
  }
}

/** Where a service says that it listens. */
function listeningPort(child: ChildProcess): Promise<number> {
  const last: string[] = []
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`the service did not start: ${why}\n${last.join('\n')}`))
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fail('no word of it in time')
    }, START_WITHIN_MS)
    child.once('exit', code => fail(`it ended with ${code}`))
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', line => {
      last.push(line)
      if (last.length > LAST_LINES) last.shift()
      const { msg, port } = readLog(line)
      if (msg !== 'escrow-svc is ready' || port === undefined) return
      clearTimeout(timer)
      resolve(port)
    })
  })
}

const readLog = (line: string): { msg?: string; port?: number } => (line.startsWith('{') ? JSON.parse(line) : {})
