import type { ServiceName } from '@holdfast/contracts/route'
import type { MigrationPlan } from '@holdfast/service-kit/database/migrations'
import { type RunningService, type ServiceOptions, startService } from '@holdfast/service-kit/lifecycle/service'
import { ScratchDatabase } from './scratch-database.js'
import { SignedClient, testActorKeys } from './signed-client.js'

/** How a test starts a service. */
export interface ScratchOptions {
  /** The schema of the service. */
  readonly plan: MigrationPlan & { readonly service: ServiceName; readonly role: string }
  /** Plans of the libraries it uses, such as that of the timers. */
  readonly more?: readonly MigrationPlan[]
  /** The services that may call it. */
  readonly callers: readonly ServiceName[]
  /** Makes the service from the environment that every service reads. */
  readonly service: (env: NodeJS.ProcessEnv) => ServiceOptions
}

/** A started service, with its database. */
export interface Started {
  readonly database: ScratchDatabase
  readonly running: RunningService
  /** Calls it as the gateway does. */
  readonly client: SignedClient
  /** The ACTOR_KEYS of its callers. */
  readonly keys: string
}

/** Starts a service on a database of its own. */
export async function startOnScratch({ plan, more = [], callers, service }: ScratchOptions): Promise<Started> {
  const database = await ScratchDatabase.make(plan, ...more)
  const keys = testActorKeys(plan.service, ...callers)
  const running = await startService(service(scratchEnvironment({ database, keys, role: plan.role })))
  return { database, running, client: new SignedClient(running.port, plan.service, keys), keys }
}

/** The environment that every service reads, for one instance of a service on a scratch database. */
export function scratchEnvironment({
  database,
  keys,
  role,
}: Pick<Started, 'database' | 'keys'> & { readonly role: string }): NodeJS.ProcessEnv {
  return {
    NODE_ENV: 'test',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    PORT: '0',
    OPS_PORT: '0',
    ACTOR_KEYS: keys,
    DATABASE_URL: database.url(role),
    ...database.environment,
  }
}

/** A service that listens on a port. Tests extend it with the calls that they make. */
export class ScratchService {
  readonly database: ScratchDatabase
  readonly running: RunningService
  readonly client: SignedClient
  readonly keys: string

  constructor({ database, running, client, keys }: Started) {
    this.database = database
    this.running = running
    this.client = client
    this.keys = keys
  }

  async stop(): Promise<void> {
    await this.running.close()
    await this.database.drop()
  }
}
