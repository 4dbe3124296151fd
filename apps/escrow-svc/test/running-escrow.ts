import { type RunningService, startService } from '@holdfast/service-kit/lifecycle/service'
import { DataSource } from 'typeorm'
import { loadEscrowConfig } from '../src/config.js'
import { DealsService } from '../src/deals/deals.service.js'
import { CancellationService } from '../src/payments/cancellation.service.js'
import { escrowService } from '../src/service.js'
import { violations } from './books.js'
import { DealDriver } from './deal-driver.js'
import { type Detours, Surroundings } from './surroundings.js'

export { type DealUnderTest, person } from './deal-driver.js'
export { declined, succeeded } from './stripe-events.js'

/** escrow-svc within the test's own process. */
export class RunningEscrow extends DealDriver {
  private running: RunningService | null = null

  private constructor(
    surroundings: Surroundings,
    private readonly detours: Detours,
  ) {
    super(surroundings)
  }

  /** @param detour addresses to use in place of the real ones, made once those are known */
  static async start(detour: (real: Surroundings) => Promise<Detours> = async () => ({})): Promise<RunningEscrow> {
    const surroundings = await Surroundings.start()
    const escrow = new RunningEscrow(surroundings, await detour(surroundings))
    await escrow.startService()
    return escrow
  }

  get service(): RunningService {
    if (!this.running) throw new Error('the service is stopped')
    return this.running
  }

  protected get port(): number {
    return this.service.port
  }

  /** TypeORM under the service's own role. */
  get dataSource(): DataSource {
    return this.service.app.get(DataSource)
  }

  /** Lets a deal do what its clock says now, as the timers of one replica do. */
  async pass(id: number, { app } = this.service): Promise<void> {
    await app.get(CancellationService).endPaymentWindow(id)
    await app.get(DealsService).letTimePass(id)
  }

  /** One more process of the same service, as replicas are. The caller closes it. */
  startReplica(): Promise<RunningService> {
    const { surroundings, detours } = this
    const environment = { ...surroundings.environment(detours), LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent' }
    return startService(escrowService(loadEscrowConfig(environment)))
  }

  async startService(): Promise<void> {
    this.running = await this.startReplica()
  }

  /** Stops the service; the database and the provider stay. */
  async stopService(): Promise<void> {
    await this.running?.close()
    this.running = null
  }

  async stop(): Promise<void> {
    await this.stopService()
    await this.surroundings.stop()
  }

  /** What is wrong with the books; nothing, one hopes. */
  imbalances(): Promise<string[]> {
    return violations(this.database.admin)
  }
}
