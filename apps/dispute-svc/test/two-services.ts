import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Dispute } from '@holdfast/contracts/disputes'
import type { ListingTerms } from '@holdfast/contracts/terms'
import type { TransactionRecord } from '@holdfast/contracts/transactions'
import { plan as escrowPlan } from '@holdfast/escrow-svc/migrations/plan'
import { AGREEMENTS_VERSION } from '@holdfast/kernel/agreements'
import { REAL_DAY_SECONDS } from '@holdfast/kernel/clocks'
import { newId } from '@holdfast/kernel/ids'
import { createSandbox, type Sandbox } from '@holdfast/sandbox/app'
import { MemoryStore } from '@holdfast/sandbox/state/memory-store'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { type RunningService, startService } from '@holdfast/service-kit/lifecycle/service'
import { isCaughtUp, redeliverAll } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { ScratchDatabase } from '@holdfast/testing/scratch-database'
import { SignedClient, testActorKeys, userActor } from '@holdfast/testing/signed-client'
import { succeeded } from '@holdfast/testing/stripe-events'
import { timersGrants, timersPlan } from '@holdfast/timers/migrations'
import { loadDisputeConfig } from '../src/config.js'
import { DisputesService } from '../src/disputes/disputes.service.js'
import { plan as disputePlan } from '../src/migrations/plan.js'
import { disputeService } from '../src/service.js'
import { EscrowLine } from './escrow-line.js'

const ROOT = join(import.meta.dirname, '../../..')
const START_WITHIN_MS = 60_000
const DISPUTE_AHEAD_MS = 20_000
const ESCROW_AHEAD_MS = 10_000
/** The timers of both services sweep every few seconds, and the machine may be busy. */
const WITHIN_MS = 50_000

const ESCROW_KEYS = testActorKeys('escrow-svc', 'gateway', 'dispute-svc')
const SECRETS = {
  STRIPE_SECRET_KEY: 'sk_test_two_services',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_two_services',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
  CARRIER_API_KEY: 'carrier-api-key',
  CARRIER_WEBHOOK_SECRET: 'carrier-webhook-secret',
}

/** A shipped deal and its parties. */
export interface ShippedDeal {
  readonly id: number
  readonly buyer: UserActor
  readonly seller: UserActor
  /** The intent that paid for it, and what the buyer paid in minor units. */
  readonly intent: string
  readonly totalMinor: number
}

/** A replica of dispute-svc. */
interface DisputeReplica {
  readonly running: RunningService
  readonly client: SignedClient
}

/** A replica of escrow-svc. */
interface EscrowReplica {
  readonly child: ChildProcess
  readonly port: number
  readonly client: SignedClient
}

/**
 * dispute-svc in the test's own process and escrow-svc as a process of its own, on one database, with the sandbox as payment
 * provider and carrier. The calls between the two go through a proxy that can lose and delay them.
 */
export class TwoServices {
  private listings = 1
  private turn = 0
  private readonly escrows: EscrowReplica[] = []

  private constructor(
    readonly database: ScratchDatabase,
    private readonly sandbox: Sandbox,
    private readonly provider: string,
    readonly line: EscrowLine,
    private readonly escrowUrl: string,
    private readonly disputes: DisputeReplica[],
  ) {}

  static async start(): Promise<TwoServices> {
    const roles = [escrowPlan.role, disputePlan.role]
    const database = await ScratchDatabase.make(escrowPlan, disputePlan, { ...timersPlan, grants: timersGrants(roles) })
    const sandbox = await createSandbox(SANDBOX_CONFIG, new MemoryStore())
    const provider = await sandbox.listen()
    const line = new EscrowLine()
    const services = new TwoServices(database, sandbox, provider, line, await line.listen(), [])
    await services.startDispute()
    await services.startEscrow()
    return services
  }

  /** Starts a second replica of each service. Their clocks are ahead by less than a signed call is valid. */
  async addReplicas(): Promise<void> {
    await Promise.all([this.startDispute(DISPUTE_AHEAD_MS), this.startEscrow(ESCROW_AHEAD_MS)])
  }

  private async startDispute(aheadMs = 0): Promise<void> {
    const keys = testActorKeys('dispute-svc', 'gateway')
    const running = await startService(
      disputeService(
        loadDisputeConfig({
          ...ENVIRONMENT,
          LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
          ACTOR_KEYS: JSON.stringify({ ...JSON.parse(keys), ...JSON.parse(ESCROW_KEYS) }),
          DATABASE_URL: this.database.url(disputePlan.role),
          ESCROW_URL: this.escrowUrl,
        }),
      ),
    )
    running.app.get(Clock).now = () => new Date(Date.now() + aheadMs)
    this.disputes.push({ running, client: new SignedClient(running.port, 'dispute-svc', keys) })
  }

  /** Starts escrow-svc from its sources. Resolves when it is ready. */
  async startEscrow(aheadMs = 0): Promise<void> {
    const loader = join(ROOT, 'libs/service-kit/test/typescript.js')
    const main = join(ROOT, 'apps/escrow-svc/src/main.ts')
    const clock = join(ROOT, 'libs/service-kit/test/clock-ahead.js')
    const child = spawn(process.execPath, ['--conditions=source', '--import', clock, '--import', loader, main], {
      env: {
        PATH: process.env.PATH,
        ...ENVIRONMENT,
        ...SECRETS,
        CLOCK_AHEAD_MS: String(aheadMs),
        LOG_LEVEL: 'info',
        ACTOR_KEYS: ESCROW_KEYS,
        DATABASE_URL: this.database.url(escrowPlan.role),
        STRIPE_API_URL: this.provider,
        STRIPE_PUBLIC_URL: this.provider,
        CARRIER_API_URL: this.provider,
      },
      // The service ends when this channel closes, so it cannot outlive the test.
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    const port = await listeningPort(child)
    this.escrows.push({ child, port, client: new SignedClient(port, 'escrow-svc', ESCROW_KEYS) })
    this.line.targets = this.escrows.map(escrow => escrow.port)
  }

  /** Kills every replica of escrow-svc with SIGKILL. Resolves when their processes have ended. */
  async killEscrow(): Promise<void> {
    this.line.targets = []
    const ended = this.escrows.splice(0).map(({ child }) => {
      const end = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGKILL')
      return end
    })
    await Promise.all(ended)
  }

  async stop(): Promise<void> {
    await Promise.all(this.disputes.map(({ running }) => running.close()))
    await this.killEscrow()
    await this.line.close()
    await this.sandbox.close()
    await this.database.drop()
  }

  /** A deal that is paid and shipped. */
  async shipped(): Promise<ShippedDeal> {
    const [buyer, seller] = [userActor(), userActor()]
    const opened = await this.call<TransactionRecord>('POST', '/internal/transactions', buyer, {
      ...{ terms: this.terms(seller), buyerId: buyer.id, purchase: null },
    })
    const { id, money } = opened
    const paid = await this.call<{ clientSecret: string }>(
      'POST',
      `/api/transactions/${id}/payments`,
      buyer,
      { method: 'card' },
      { 'idempotency-key': newId() },
    )
    const intent = paid.clientSecret.split('_secret_')[0]!
    const totalMinor = Math.round(Number(money.buyerTotal) * 100)
    await this.providerReports(succeeded(intent, totalMinor))
    await this.call('POST', `/api/transactions/${id}/tracking`, seller, { trackingNumber: `D${id}` })
    return { id, buyer, seller, intent, totalMinor }
  }

  /** A deal on which the system has filed a dispute, because its parcel was not reported as delivered in time. */
  async overdue(): Promise<ShippedDeal> {
    const deal = await this.shipped()
    await this.database.admin.query(
      `UPDATE escrow.transaction SET due_at = due_at - interval '31 days' WHERE id = $1`,
      [deal.id],
    )
    await eventually(async () => (await this.disputesOf(deal.buyer)).length === 1, WITHIN_MS)
    return deal
  }

  /** Gives a command of a party to escrow-svc. @throws Error when it is refused */
  act({ id }: ShippedDeal, who: UserActor, command: 'confirm-delivery' | 'accept' | 'refund'): Promise<unknown> {
    return this.call('POST', `/api/transactions/${id}/${command}`, who)
  }

  /** Gives a command of a party to escrow-svc, which may refuse it. @throws Error for an answer that is no refusal */
  async try({ id }: ShippedDeal, actor: UserActor, command: 'confirm-delivery' | 'accept' | 'refund'): Promise<void> {
    const path = `/api/transactions/${id}/${command}`
    const { status } = await this.next(this.escrows).client.request('POST', path, { actor })
    if (status !== 200 && status !== 409) throw new Error(`${path}: ${status}`)
  }

  /** The carrier sends a signed delivery scan of a deal's parcel. */
  async carrierDelivers({ id }: ShippedDeal): Promise<void> {
    const at = new Date().toISOString()
    const scan = { message: 'Delivered', status: 'delivered', datetime: at }
    const result = { id: `trk_${id}`, tracking_code: `D${id}`, status: 'delivered', updated_at: at }
    const raw = JSON.stringify({ description: 'tracker.updated', result: { ...result, tracking_details: [scan] } })
    const digest = createHmac('sha256', SECRETS.CARRIER_WEBHOOK_SECRET).update(raw).digest('hex')
    await this.call('POST', '/api/webhooks/carrier', null, raw, { 'x-hmac-signature': `hmac-sha256-hex=${digest}` })
  }

  file({ id }: ShippedDeal, who: UserActor, key?: string) {
    const body = { transactionId: id, reason: 'damaged_item', description: 'It is in two pieces.' }
    return this.ask('/api/disputes', who, key, body)
  }

  withdraw(id: number, who: UserActor, key?: string) {
    return this.ask(`/api/disputes/${id}/withdraw`, who, key)
  }

  /** Makes dispute-svc repeat its call for a dispute now. */
  async repeatCall(id: number): Promise<void> {
    await this.database.admin.query('UPDATE dispute.dispute SET retry_at = now() WHERE id = $1', [id])
    await this.service().retry(id)
  }

  /** The disputes of a deal whose call to escrow is to be repeated. */
  async unsettledOf({ id }: ShippedDeal): Promise<number[]> {
    const sql = 'SELECT id::int AS id FROM dispute.dispute WHERE transaction_id = $1 AND retry_at IS NOT NULL'
    return (await this.database.admin.query<{ id: number }>(sql, [id])).rows.map(row => row.id)
  }

  /** Makes dispute-svc read all events again, as after a crash that lost its progress. */
  redeliverEvents(): Promise<void> {
    return redeliverAll('dispute-svc', this.database)
  }

  /** Resolves when both services have published their events, and dispute-svc has handled those of escrow. */
  async eventsHandled(): Promise<void> {
    const waiting = 'SELECT 1 FROM escrow.outbox UNION ALL SELECT 1 FROM dispute.outbox LIMIT 1'
    await eventually(async () => (await this.database.admin.query(waiting)).rowCount === 0, WITHIN_MS)
    await eventually(() => isCaughtUp('dispute-svc', this.database), WITHIN_MS)
  }

  /** Deals whose hold differs from its postings, and events that a handler gave up. */
  async faultsInBooks(): Promise<object[]> {
    const { rows } = await this.database.admin.query(
      `SELECT t.id, t.hold_minor, h.posted FROM escrow.transaction t CROSS JOIN LATERAL (
         SELECT coalesce(sum(CASE p.credit WHEN 'hold:' || t.id THEN p.amount_minor ELSE -p.amount_minor END), 0) AS posted
         FROM escrow.posting p WHERE 'hold:' || t.id IN (p.debit, p.credit)) h WHERE t.hold_minor <> h.posted`,
    )
    return [...rows, ...(await this.database.admin.query('SELECT * FROM events.dead_letter')).rows]
  }

  /** The id of the latest dispute on a deal, which may be a filing that escrow has not answered. */
  async latestOn({ id }: ShippedDeal): Promise<number> {
    const sql = 'SELECT max(id)::int AS id FROM dispute.dispute WHERE transaction_id = $1'
    return (await this.database.admin.query<{ id: number }>(sql, [id])).rows[0]!.id
  }

  /** The disputes that a user sees, newest first. */
  async disputesOf(who: UserActor): Promise<Dispute[]> {
    return (
      await this.next(this.disputes).client.request<Dispute[]>('GET', `/api/disputes/user/${who.id}`, { actor: who })
    ).body
  }

  /** The status of a deal, and the id of the dispute that freezes it. */
  async dealOf({ id }: ShippedDeal): Promise<{ status: string; frozenBy: number | null }> {
    const { rows } = await this.database.admin.query<{ status: string; frozenBy: number | null }>(
      `SELECT status, CASE WHEN status = 'disputed' THEN (frozen ->> 'disputeId')::int END AS "frozenBy"
       FROM escrow.transaction WHERE id = $1`,
      [id],
    )
    return rows[0]!
  }

  /**
   * Resolves when both services agree on a deal: it is disputed exactly while one of its disputes is not closed, and by that
   * one; and no call between the two is outstanding.
   */
  async agree(deal: ShippedDeal): Promise<void> {
    const sql = `SELECT t.status, coalesce(json_agg(json_build_object('id', d.id, 'step', d.step, 'system', d.reporter_id IS NULL))
        FILTER (WHERE d.status <> 'closed'), '[]') AS open,
        coalesce(bool_and(d.step IN ('settled', 'refused')), true) AS settled, (t.frozen ->> 'disputeId')::int AS by
      FROM escrow.transaction t LEFT JOIN dispute.dispute d ON d.transaction_id = t.id WHERE t.id = $1 GROUP BY t.id`
    let seen: unknown
    const agreed = async () => {
      const { rows } = await this.database.admin.query(sql, [deal.id])
      seen = rows[0]
      const { status, open, settled, by } = rows[0]
      if (!settled) return false
      if (status !== 'disputed') return open.length === 0
      return open.length === 1 && (open[0].system ? by === null : open[0].id === by)
    }
    await eventually(agreed, WITHIN_MS).catch((error: unknown) => {
      throw new Error(`the services do not agree on deal ${deal.id}: ${JSON.stringify(seen)}`, { cause: error })
    })
  }

  /** The payment provider sends a signed event. @throws Error when it is not accepted */
  async providerReports(event: object): Promise<void> {
    const raw = JSON.stringify(event)
    const at = Math.floor(Date.now() / 1000)
    const v1 = createHmac('sha256', SECRETS.STRIPE_WEBHOOK_SECRET).update(`${at}.${raw}`).digest('hex')
    await this.call('POST', '/api/webhooks/stripe', null, raw, { 'stripe-signature': `t=${at},v1=${v1}` })
  }

  private terms(seller: UserActor): ListingTerms {
    const item = { title: 'Camera', description: 'A good one.', category: 'Electronics', condition: 'Good' } as const
    const price = { price: '100.00', currency: 'USD', inspectionDays: 3, returnPolicy: 'no-returns' } as const
    const signed = {
      agreementsVersion: AGREEMENTS_VERSION,
      signedBy: 'seller',
      signedAt: new Date().toISOString(),
    } as const
    const listing = { listingId: this.listings++, sellerId: seller.id, status: 'active' } as const
    return { ...listing, ...item, ...price, ...signed, location: null, images: [], deal: null }
  }

  private service(): DisputesService {
    return this.next(this.disputes).running.app.get(DisputesService, { strict: false })
  }

  /** The replicas get the calls in turn. */
  private next<R>(replicas: readonly R[]): R {
    const replica = replicas[this.turn++ % replicas.length]
    if (!replica) throw new Error('the service is stopped')
    return replica
  }

  private ask(path: string, actor: UserActor, key?: string, body?: object) {
    const headers = key ? { 'idempotency-key': key } : {}
    return this.next(this.disputes).client.request<Dispute & { code?: string }>('POST', path, { actor, body, headers })
  }

  private async call<T>(
    method: string,
    path: string,
    actor: UserActor | null,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<T> {
    const answer = await this.next(this.escrows).client.request<T>(method, path, { actor, body, headers })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
}

const ENVIRONMENT = { NODE_ENV: 'test', PORT: '0', OPS_PORT: '0' }

const SANDBOX_CONFIG = {
  host: '127.0.0.1',
  port: 0,
  logLevel: 'silent',
  publicUrl: null,
  daySeconds: REAL_DAY_SECONDS,
  allowedOrigins: [],
  secretKey: SECRETS.STRIPE_SECRET_KEY,
  publishableKey: SECRETS.STRIPE_PUBLISHABLE_KEY,
  stripeWebhook: { url: null, secret: SECRETS.STRIPE_WEBHOOK_SECRET },
  carrierKey: SECRETS.CARRIER_API_KEY,
  carrierWebhook: { url: null, secret: SECRETS.CARRIER_WEBHOOK_SECRET },
}

/** The port that escrow-svc logs when it is ready. */
function listeningPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('escrow-svc was not ready in time')), START_WITHIN_MS)
    child.once('exit', code => reject(new Error(`escrow-svc ended with ${code}`)))
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', line => {
      const { msg, port } = (line.startsWith('{') ? JSON.parse(line) : {}) as { msg?: string; port?: number }
      if (msg !== 'escrow-svc is ready' || port === undefined) return
      clearTimeout(timer)
      resolve(port)
    })
  })
}
