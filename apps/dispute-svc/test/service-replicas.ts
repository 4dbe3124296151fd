import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { plan as escrowPlan } from '@holdfast/escrow-svc/migrations/plan'
import type { Sandbox } from '@holdfast/sandbox/app'
import { startInMemory } from '@holdfast/sandbox/in-memory'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { type RunningService, startService } from '@holdfast/service-kit/lifecycle/service'
import { listeningPort } from '@holdfast/testing/listening-port'
import { packedService } from '@holdfast/testing/packed-service'
import { ScratchDatabase } from '@holdfast/testing/scratch-database'
import { ScratchStorage } from '@holdfast/testing/scratch-storage'
import { SignedClient, testActorKeys } from '@holdfast/testing/signed-client'
import { timersGrants, timersPlan } from '@holdfast/timers/migrations'
import { loadDisputeConfig } from '../src/config.js'
import { plan as disputePlan } from '../src/migrations/plan.js'
import { disputeService } from '../src/service.js'
import { EscrowLine } from './escrow-line.js'
import { MASTER_KEY } from './running-dispute.js'

const CLOCK = join(import.meta.dirname, '../../../libs/service-kit/test/clock-ahead.js')
const DISPUTE_AHEAD_MS = 20_000
const ESCROW_AHEAD_MS = 10_000

const ENVIRONMENT = { NODE_ENV: 'test', PORT: '0', OPS_PORT: '0' }
const DISPUTE_KEYS = testActorKeys('dispute-svc', 'gateway')
const ESCROW_KEYS = testActorKeys('escrow-svc', 'gateway', 'dispute-svc')
/** What escrow-svc shares with its payment provider and the carrier. */
export const SECRETS = {
  STRIPE_SECRET_KEY: 'sk_test_two_services',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_two_services',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
  CARRIER_API_KEY: 'carrier-api-key',
  CARRIER_WEBHOOK_SECRET: 'carrier-webhook-secret',
  COINIFY_API_KEY: 'sandbox_escrow-key',
  COINIFY_WEBHOOK_SECRET: 'coinify-webhook-secret',
}

interface DisputeReplica {
  readonly running: RunningService
  readonly client: SignedClient
}

/** A process of dispute-svc. */
export interface KillableReplica {
  readonly client: SignedClient
  /** Kills it with SIGKILL. Resolves when it has ended. */
  kill(): Promise<void>
}

interface EscrowReplica {
  readonly child: ChildProcess
  readonly port: number
  readonly client: SignedClient
}

/**
 * The processes of dispute-svc and escrow-svc, on one database, with the sandbox as payment provider and carrier. dispute-svc
 * runs in the test's own process. The calls between the two go through a proxy that can lose and delay them.
 */
export class ServiceReplicas {
  private turn = 0
  private readonly disputes: DisputeReplica[] = []
  private readonly escrows: EscrowReplica[] = []

  private constructor(
    readonly database: ScratchDatabase,
    private readonly sandbox: Sandbox,
    private readonly provider: string,
    readonly line: EscrowLine,
    private readonly escrowUrl: string,
    private readonly storage: ScratchStorage,
  ) {}

  /** Starts one replica of each service. */
  static async start(): Promise<ServiceReplicas> {
    const roles = [escrowPlan.role, disputePlan.role]
    const database = await ScratchDatabase.make(escrowPlan, disputePlan, { ...timersPlan, grants: timersGrants(roles) })
    const { sandbox, origin: provider } = await startInMemory(SECRETS)
    const line = new EscrowLine()
    const replicas = new ServiceReplicas(
      database,
      sandbox,
      provider,
      line,
      await line.listen(),
      await ScratchStorage.make(),
    )
    await replicas.startDispute()
    await replicas.startEscrow()
    return replicas
  }

  /** Starts a second replica of each service. Their clocks are ahead by less than a signed call is valid. */
  async startSecond(): Promise<void> {
    await Promise.all([this.startDispute(DISPUTE_AHEAD_MS), this.startEscrow(ESCROW_AHEAD_MS)])
  }

  /** The carrier delivers a parcel. */
  async deliverParcel(trackingNumber: string): Promise<void> {
    const path = `/sandbox/parcels/${encodeURIComponent(trackingNumber)}/move`
    const response = await fetch(this.provider + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'delivered' }),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
  }

  /** The replica of dispute-svc that gets the next call. Replicas take turns. */
  nextDispute(): DisputeReplica {
    return this.next(this.disputes)
  }

  /** The replica of escrow-svc that gets the next call. Replicas take turns. @throws Error while all are stopped */
  nextEscrow(): EscrowReplica {
    return this.next(this.escrows)
  }

  private async startDispute(aheadMs = 0): Promise<void> {
    const running = await startService(disputeService(loadDisputeConfig(this.disputeEnvironment)))
    running.app.get(Clock).now = () => new Date(Date.now() + aheadMs)
    this.disputes.push({ running, client: new SignedClient(running.port, 'dispute-svc', DISPUTE_KEYS) })
  }

  /** Starts one more dispute-svc, as a process of its own that can be killed. It gets only the calls of its own client. */
  async startKillableDispute(): Promise<KillableReplica> {
    const child = startProcess('dispute-svc', { ...this.disputeEnvironment, LOG_LEVEL: 'info' })
    const client = new SignedClient(await listeningPort('dispute-svc', child), 'dispute-svc', DISPUTE_KEYS)
    return { client, kill: () => killed(child) }
  }

  private get disputeEnvironment(): NodeJS.ProcessEnv {
    return {
      ...ENVIRONMENT,
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
      ACTOR_KEYS: JSON.stringify({ ...JSON.parse(DISPUTE_KEYS), ...JSON.parse(ESCROW_KEYS) }),
      DATABASE_URL: this.database.url(disputePlan.role),
      ...this.database.environment,
      ENCRYPTION_KEYS: MASTER_KEY,
      ESCROW_URL: this.escrowUrl,
      ...this.storage.environment,
    }
  }

  /** Starts escrow-svc. Resolves when it is ready. */
  async startEscrow(aheadMs = 0): Promise<void> {
    const child = startProcess(
      'escrow-svc',
      {
        ...ENVIRONMENT,
        ...SECRETS,
        LOG_LEVEL: 'info',
        ACTOR_KEYS: ESCROW_KEYS,
        DATABASE_URL: this.database.url(escrowPlan.role),
        ...this.database.environment,
        STRIPE_API_URL: this.provider,
        STRIPE_PUBLIC_URL: this.provider,
        CARRIER_API_URL: this.provider,
        COINIFY_API_URL: this.provider,
      },
      aheadMs,
    )
    const port = await listeningPort('escrow-svc', child)
    this.escrows.push({ child, port, client: new SignedClient(port, 'escrow-svc', ESCROW_KEYS) })
    this.line.targets = this.escrows.map(escrow => escrow.port)
  }

  /** Kills every replica of escrow-svc with SIGKILL. Resolves when their processes have ended. */
  async killEscrow(): Promise<void> {
    this.line.targets = []
    await Promise.all(this.escrows.splice(0).map(({ child }) => killed(child)))
  }

  async stop(): Promise<void> {
    await Promise.all(this.disputes.map(({ running }) => running.close()))
    await this.killEscrow()
    await this.line.close()
    await this.sandbox.close()
    await this.database.drop()
    await this.storage.remove()
  }

  private next<R>(replicas: readonly R[]): R {
    const replica = replicas[this.turn++ % replicas.length]
    if (!replica) throw new Error('the service is stopped')
    return replica
  }
}

/** Starts a service from its packed build, with a clock that is ahead of the real time. */
function startProcess(service: string, env: NodeJS.ProcessEnv, aheadMs = 0): ChildProcess {
  return spawn(process.execPath, ['--import', CLOCK, packedService(service)], {
    env: { PATH: process.env.PATH, CLOCK_AHEAD_MS: String(aheadMs), ...env },
    // The service ends when this channel closes, so it cannot outlive the test.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
}

/** Kills a process with SIGKILL. Resolves when it has ended. */
async function killed(child: ChildProcess): Promise<void> {
  const end = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGKILL')
  await end
}
