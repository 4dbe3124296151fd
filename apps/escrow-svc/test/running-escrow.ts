import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { type RunningService, startService } from '@holdfast/service-kit/lifecycle/service'
import { DataSource } from 'typeorm'
import { loadEscrowConfig } from '../src/config.js'
import { DealsService } from '../src/deals/deals.service.js'
import { violations } from '../src/ledger/invariants.js'
import { CancellationService } from '../src/payments/cancellation.service.js'
import { escrowService } from '../src/service.js'
import { ReceiveByService } from '../src/tracking/receive-by.service.js'
import { DealDriver } from './deal-driver.js'
import { Dependencies, type ProxyUrls } from './dependencies.js'

/** escrow-svc in the test's own process, with its own database and provider. */
export class RunningEscrow extends DealDriver {
  private running: RunningService | null = null
  private readonly replicas: RunningService[] = []
  private turn = 0

  private constructor(
    dependencies: Dependencies,
    private readonly proxyUrls: ProxyUrls,
  ) {
    super(dependencies)
  }

  /** @param proxy makes the proxies that the service uses, if any, from the addresses of its dependencies */
  static async start(proxy: (real: Dependencies) => Promise<ProxyUrls> = async () => ({})): Promise<RunningEscrow> {
    const dependencies = await Dependencies.start()
    return RunningEscrow.on(dependencies, await proxy(dependencies))
  }

  /** On a database and a provider that run already. */
  static async on(dependencies: Dependencies, proxyUrls: ProxyUrls = {}): Promise<RunningEscrow> {
    const escrow = new RunningEscrow(dependencies, proxyUrls)
    await escrow.startService()
    return escrow
  }

  get service(): RunningService {
    if (!this.running) throw new Error('the service is stopped')
    return this.running
  }

  protected get port(): number {
    return this.nextReplica().port
  }

  /** The service's own TypeORM connections, with the rights of its role. */
  get dataSource(): DataSource {
    return this.service.app.get(DataSource)
  }

  /**
   * Starts a replica whose clock is ahead. From now on requests and timers go to all replicas in turn. A signed call holds for
   * 30 seconds, so a replica that is further ahead would refuse every call.
   */
  async addReplica(aheadMs: number): Promise<void> {
    const replica = await this.startReplica()
    const clock = replica.app.get(Clock)
    clock.now = () => new Date(Date.now() + aheadMs)
    this.replicas.push(replica)
  }

  private nextReplica(): RunningService {
    const all = [this.service, ...this.replicas]
    return all[this.turn++ % all.length] ?? this.service
  }

  /** Fires the timers of every replica ten seconds before the deal's clock is due. Its due time is put back afterwards. */
  async fireTimersEarly(id: number): Promise<void> {
    const { was, soon } = await this.row<{ was: Date | null; soon: Date }>(
      `SELECT CASE WHEN due_at > clock_timestamp() THEN due_at END AS was, date_trunc('milliseconds', clock_timestamp()) + interval '10 seconds' AS soon
         FROM escrow.transaction WHERE id = $1`,
      [id],
    )
    if (was === null) return this.fireTimers(id)
    const move = (from: Date, to: Date) =>
      this.database.admin.query(
        `UPDATE escrow.transaction SET due_at = $3 WHERE id = $1 AND date_trunc('milliseconds', due_at) = $2`,
        [id, from, to],
      )
    await move(was, soon)
    for (const replica of [this.service, ...this.replicas]) await this.fireTimers(id, replica)
    await move(soon, was)
  }

  /** Gives a deal the command of its clock, if it is due, as the timers of one replica do. */
  async fireTimers(id: number, { app } = this.nextReplica()): Promise<void> {
    await app.get(CancellationService).endPaymentWindow(id)
    await app.get(DealsService).endDueClock(id)
    await app.get(ReceiveByService).end(id)
  }

  /** Starts another instance of the service on the same database, with variables of its own if any. The caller closes it. */
  startReplica(more: NodeJS.ProcessEnv = {}): Promise<RunningService> {
    const { dependencies, proxyUrls } = this
    const environment = {
      ...dependencies.environment(proxyUrls),
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
      ...more,
    }
    return startService(escrowService(loadEscrowConfig(environment)))
  }

  async startService(): Promise<void> {
    this.running = await this.startReplica()
  }

  /** Stops the service. The database and the provider keep running. */
  async stopService(): Promise<void> {
    await this.running?.close()
    this.running = null
  }

  async stop(): Promise<void> {
    await Promise.all(this.replicas.splice(0).map(replica => replica.close()))
    await this.stopService()
    await this.dependencies.stop()
  }

  /** The violated invariants of this escrow's database: none, unless there is a fault. */
  violations(): Promise<string[]> {
    return violations(this.database.admin)
  }
}
