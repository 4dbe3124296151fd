import { EventsServer } from '@holdfast/events/consumer/events-server'
import { baseShape, parseConfig } from '@holdfast/service-kit/lifecycle/config'
import { type RunningService, startService } from '@holdfast/service-kit/lifecycle/service'
import { DataSource } from 'typeorm'
import { appModule } from '../src/app.module.js'
import { EscrowTimers } from '../src/escrow-timers.js'
import { violations } from './books.js'
import { DealDriver } from './deal-driver.js'
import { ACTOR_KEYS, type Detours, Surroundings } from './surroundings.js'

export { type DealUnderTest, person } from './deal-driver.js'
export { declined, succeeded } from './stripe-events.js'

/** escrow-svc within the test's own process. */
export class EscrowUnderTest extends DealDriver {
  private running: RunningService | null = null

  private constructor(
    surroundings: Surroundings,
    private readonly detours: Detours,
  ) {
    super(surroundings)
  }

  /** @param detour addresses to use in place of the real ones, made once those are known */
  static async start(detour: (real: Surroundings) => Promise<Detours> = async () => ({})): Promise<EscrowUnderTest> {
    const surroundings = await Surroundings.start()
    const escrow = new EscrowUnderTest(surroundings, await detour(surroundings))
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

  get timers(): EscrowTimers {
    return this.service.app.get(EscrowTimers)
  }

  /** One more process of the same service, as replicas are. The caller closes it. */
  startReplica(): Promise<RunningService> {
    const { surroundings, detours } = this
    return startService({
      name: 'escrow-svc',
      module: appModule(surroundings.databaseUrl(detours), surroundings.settings(detours)),
      config: parseConfig(baseShape, {
        NODE_ENV: 'test',
        PORT: '0',
        OPS_PORT: '0',
        LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
        ACTOR_KEYS,
      }),
      strategies: app => [app.get(EventsServer)],
    })
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
