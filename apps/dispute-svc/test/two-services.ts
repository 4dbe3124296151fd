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
import { type RunningService, startService } from '@holdfast/service-kit/lifecycle/service'
import { eventually } from '@holdfast/testing/eventually'
import { ScratchDatabase } from '@holdfast/testing/scratch-database'
import { SignedClient, testActorKeys, userActor } from '@holdfast/testing/signed-client'
import { timersGrants, timersPlan } from '@holdfast/timers/migrations'
import { loadDisputeConfig } from '../src/config.js'
import { DisputesService } from '../src/disputes/disputes.service.js'
import { plan as disputePlan } from '../src/migrations/plan.js'
import { disputeService } from '../src/service.js'
import { EscrowLine } from './escrow-line.js'

const ROOT = join(import.meta.dirname, '../../..')
const START_WITHIN_MS = 60_000
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
}

/**
 * dispute-svc in the test's own process and escrow-svc as a process of its own, on one database, with the sandbox as payment
 * provider and carrier. The calls between the two go through a proxy that can lose and delay them.
 */
export class TwoServices {
  private listings = 1
  private child: ChildProcess | null = null
  private escrow: SignedClient | null = null

  private constructor(
    readonly database: ScratchDatabase,
    private readonly sandbox: Sandbox,
    private readonly provider: string,
    readonly line: EscrowLine,
    private readonly disputeSvc: RunningService,
    private readonly disputes: SignedClient,
  ) {}

  static async start(): Promise<TwoServices> {
    const roles = [escrowPlan.role, disputePlan.role]
    const database = await ScratchDatabase.make(escrowPlan, disputePlan, { ...timersPlan, grants: timersGrants(roles) })
    const sandbox = await createSandbox(SANDBOX_CONFIG, new MemoryStore())
    const provider = await sandbox.listen()
    const line = new EscrowLine()
    const keys = testActorKeys('dispute-svc', 'gateway')
    const running = await startService(
      disputeService(
        loadDisputeConfig({
          ...ENVIRONMENT,
          LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
          ACTOR_KEYS: JSON.stringify({ ...JSON.parse(keys), ...JSON.parse(ESCROW_KEYS) }),
          DATABASE_URL: database.url(disputePlan.role),
          ESCROW_URL: await line.listen(),
        }),
      ),
    )
    const disputes = new SignedClient(running.port, 'dispute-svc', keys)
    const services = new TwoServices(database, sandbox, provider, line, running, disputes)
    await services.startEscrow()
    return services
  }

  /** Starts escrow-svc from its sources. Resolves when it is ready. */
  async startEscrow(): Promise<void> {
    const loader = join(ROOT, 'libs/service-kit/test/typescript.js')
    const main = join(ROOT, 'apps/escrow-svc/src/main.ts')
    const child = spawn(process.execPath, ['--conditions=source', '--import', loader, main], {
      env: {
        PATH: process.env.PATH,
        ...ENVIRONMENT,
        ...SECRETS,
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
    this.child = child
    const port = await listeningPort(child)
    this.escrow = new SignedClient(port, 'escrow-svc', ESCROW_KEYS)
    this.line.target = port
  }

  /** Kills escrow-svc with SIGKILL. Resolves when its process has ended. */
  async killEscrow(): Promise<void> {
    const { child } = this
    this.line.target = null
    this.child = null
    if (!child) return
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }

  async stop(): Promise<void> {
    await this.disputeSvc.close()
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
    await this.providerReports(paid.clientSecret.split('_secret_')[0]!, Math.round(Number(money.buyerTotal) * 100))
    await this.call('POST', `/api/transactions/${id}/tracking`, seller, { trackingNumber: `D${id}` })
    return { id, buyer, seller }
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
  act({ id }: ShippedDeal, who: UserActor, command: 'confirm-delivery' | 'refund'): Promise<unknown> {
    return this.call('POST', `/api/transactions/${id}/${command}`, who)
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
    await this.disputeSvc.app.get(DisputesService, { strict: false }).retry(id)
  }

  /** The id of the latest dispute on a deal, which may be a filing that escrow has not answered. */
  async latestOn({ id }: ShippedDeal): Promise<number> {
    const sql = 'SELECT max(id)::int AS id FROM dispute.dispute WHERE transaction_id = $1'
    return (await this.database.admin.query<{ id: number }>(sql, [id])).rows[0]!.id
  }

  /** The disputes that a user sees, newest first. */
  async disputesOf(who: UserActor): Promise<Dispute[]> {
    return (await this.disputes.request<Dispute[]>('GET', `/api/disputes/user/${who.id}`, { actor: who })).body
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
    await eventually(async () => {
      const { rows } = await this.database.admin.query(sql, [deal.id])
      const { status, open, settled, by } = rows[0]
      if (!settled) return false
      if (status !== 'disputed') return open.length === 0
      return open.length === 1 && (open[0].system ? by === null : open[0].id === by)
    }, WITHIN_MS)
  }

  private async providerReports(intent: string, amountMinor: number): Promise<void> {
    const object = { object: 'payment_intent', id: intent, status: 'succeeded', amount: amountMinor }
    const more = { amount_received: amountMinor, currency: 'usd', client_secret: null, latest_charge: null }
    const data = { object: { ...object, ...more, metadata: {}, last_payment_error: null } }
    const event = { id: `evt_${newId()}`, object: 'event', type: 'payment_intent.succeeded', livemode: false, data }
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

  private ask(path: string, actor: UserActor, key?: string, body?: object) {
    const headers = key ? { 'idempotency-key': key } : {}
    return this.disputes.request<Dispute & { code?: string }>('POST', path, { actor, body, headers })
  }

  private async call<T>(
    method: string,
    path: string,
    actor: UserActor | null,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<T> {
    if (!this.escrow) throw new Error('escrow is stopped')
    const answer = await this.escrow.request<T>(method, path, { actor, body, headers })
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
