import { type ChildProcess, spawn } from 'node:child_process'
import { listeningPort } from '@holdfast/testing/listening-port'
import { packedService } from '@holdfast/testing/packed-service'
import { DealDriver } from './deal-driver.js'
import { Dependencies } from './dependencies.js'
import { anyAnswer, type FaultPoint, FaultyProxy, readyForQuery } from './faulty-proxy.js'

/** What a caller got: an answer, or none. */
export type CallResult<T> = { readonly answer: T } | 'no answer'

/**
 * escrow-svc as a process of its own, from its packed build. A proxy in front of its database and one in front of
 * its provider let a test kill it at any request between them.
 */
export class EscrowProcess extends DealDriver {
  private child: ChildProcess | null = null
  private listening = 0

  private constructor(
    dependencies: Dependencies,
    private readonly proxies: { readonly database: FaultyProxy; readonly provider: FaultyProxy },
  ) {
    super(dependencies)
  }

  static async start(): Promise<EscrowProcess> {
    const dependencies = await Dependencies.start()
    const database = await FaultyProxy.inFrontOf(dependencies.databaseUrl(), readyForQuery)
    const provider = await FaultyProxy.inFrontOf(dependencies.origin, anyAnswer)
    const escrow = new EscrowProcess(dependencies, { database, provider })
    await escrow.boot()
    return escrow
  }

  protected get port(): number {
    return this.listening
  }

  /** Starts the service. Resolves when it is ready. */
  async boot(): Promise<void> {
    const { database, provider } = this.proxies
    const { dependencies } = this
    const proxyUrls = {
      databaseUrl: database.urlOf(dependencies.databaseUrl()),
      providerUrl: provider.urlOf(dependencies.origin),
    }
    const child = spawn(process.execPath, [packedService('escrow-svc')], {
      env: { PATH: process.env.PATH, ...dependencies.environment(proxyUrls) },
      // The service ends when this channel closes, so it cannot outlive the test.
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    this.child = child
    this.listening = await listeningPort('escrow-svc', child)
  }

  /** Kills the service with SIGKILL. Resolves when the process has ended. */
  async kill(): Promise<void> {
    const { child } = this
    if (!child) return
    this.child = null
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
    this.proxies.database.breakConnections()
    this.proxies.provider.breakConnections()
  }

  /**
   * Makes a call, kills the service when the call reaches the fault point, and starts the service again.
   *
   * @returns what the caller got
   * @throws what the call throws, unless its connection ended before the answer
   */
  async killAt<T>(where: 'database' | 'provider', point: FaultPoint, call: () => Promise<T>): Promise<CallResult<T>> {
    let killed: Promise<void> | undefined
    const reached = this.proxies[where].faultAt(point, () => {
      killed = this.kill()
    })
    const result = call().then(
      (answer): CallResult<T> => ({ answer }),
      (error: unknown): CallResult<T> => {
        if (!isConnectionEnded(error)) throw error
        return 'no answer'
      },
    )
    // A call that fails in another way may never reach the fault point.
    await Promise.race([reached, result.then(() => reached)])
    await killed
    const got = await result
    await this.boot()
    return got
  }

  async stop(): Promise<void> {
    await this.kill()
    await this.proxies.database.close()
    await this.proxies.provider.close()
    await this.dependencies.stop()
  }
}

/** Whether `fetch` failed because an open connection ended before the answer, as the kill of the server ends it. */
const isConnectionEnded = (error: unknown): boolean => {
  const { cause } = error as { cause?: { code?: unknown } }
  return cause?.code === 'UND_ERR_SOCKET' || cause?.code === 'ECONNRESET'
}
