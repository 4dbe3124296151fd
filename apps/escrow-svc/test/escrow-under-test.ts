import { createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ListingTerms } from '@holdfast/contracts/terms'
import type { TransactionRecord } from '@holdfast/contracts/transactions'
import { EventsServer } from '@holdfast/events/server'
import { newId } from '@holdfast/kernel/ids'
import { AGREEMENTS_VERSION } from '@holdfast/kernel/listings'
import { REAL_DAY_SECONDS } from '@holdfast/kernel/transactions'
import { createSandbox, type Sandbox } from '@holdfast/sandbox/app'
import type { UserActor } from '@holdfast/service-kit/actor'
import { baseShape, parseConfig } from '@holdfast/service-kit/config'
import { type RunningService, startService } from '@holdfast/service-kit/service'
import { ScratchDatabase } from '@holdfast/testing/scratch-database'
import { type SignedAnswer, SignedClient, type SignedRequest, testActorKeys } from '@holdfast/testing/signed-client'
import { timersGrants, timersPlan } from '@holdfast/timers/migrations'
import { DataSource } from 'typeorm'
import { appModule } from '../src/app.module.js'
import { plan } from '../src/migrations/plan.js'
import { Settings } from '../src/settings.js'

const WEBHOOK_SECRET = 'whsec_0123456789abcdef'
const CARRIER_SECRET = 'carrier-webhook-secret'
const KEYS = testActorKeys('escrow-svc', 'gateway', 'dispute-svc')

export const person = (id = newId()): UserActor => ({ kind: 'user', id, role: 'user', plan: 'standard' })

/** A deal that a test works with, and its parties. */
export interface DealUnderTest {
  readonly id: number
  readonly buyer: UserActor
  readonly seller: UserActor
  readonly totalMinor: number
}

/** escrow-svc on a scratch database, with the sandbox for its provider and carrier. */
export class EscrowUnderTest {
  private listings = 1

  private constructor(
    readonly database: ScratchDatabase,
    readonly service: RunningService,
    readonly client: SignedClient,
    readonly sandbox: Sandbox,
    private readonly folder: string,
  ) {}

  static async start(): Promise<EscrowUnderTest> {
    const database = await ScratchDatabase.make(plan, { ...timersPlan, grants: timersGrants(['escrow_svc']) })
    const folder = await mkdtemp(join(tmpdir(), 'escrow-test-'))
    const sandbox = await createSandbox({
      host: '127.0.0.1',
      port: 0,
      logLevel: 'silent',
      dataDir: folder,
      publicUrl: null,
      daySeconds: REAL_DAY_SECONDS,
      allowedOrigins: [],
      secretKey: 'sk_test_escrow',
      publishableKey: 'pk_test_escrow',
      stripeWebhook: { url: null, secret: WEBHOOK_SECRET },
      carrierKey: 'carrier-api-key',
      carrierWebhook: { url: null, secret: CARRIER_SECRET },
    })
    const origin = await sandbox.listen()
    const settings = new Settings(
      REAL_DAY_SECONDS,
      {
        apiUrl: origin,
        publicUrl: origin,
        secretKey: 'sk_test_escrow',
        publishableKey: 'pk_test_escrow',
        webhookSecret: WEBHOOK_SECRET,
        livemode: false,
      },
      { apiUrl: origin, apiKey: 'carrier-api-key', webhookSecret: CARRIER_SECRET },
    )
    const service = await startService({
      name: 'escrow-svc',
      module: appModule(database.url('escrow_svc'), settings),
      config: parseConfig(baseShape, {
        NODE_ENV: 'test',
        PORT: '0',
        OPS_PORT: '0',
        LOG_LEVEL: 'silent',
        ACTOR_KEYS: KEYS,
      }),
      strategies: app => [app.get(EventsServer)],
    })
    return new EscrowUnderTest(database, service, new SignedClient(service.port, 'escrow-svc', KEYS), sandbox, folder)
  }

  /** TypeORM under the service's own role. */
  get dataSource(): DataSource {
    return this.service.app.get(DataSource)
  }

  async stop(): Promise<void> {
    await this.service.close()
    await this.sandbox.close()
    await this.database.drop()
    await rm(this.folder, { recursive: true, force: true })
  }

  request<T = unknown>(method: string, path: string, request: SignedRequest = {}): Promise<SignedAnswer<T>> {
    return this.client.request<T>(method, path, request)
  }

  terms(seller: UserActor, changes: Partial<ListingTerms> = {}): ListingTerms {
    return {
      listingId: this.listings++,
      sellerId: seller.id,
      title: 'Camera',
      description: 'A good one.',
      price: '100.00',
      currency: 'USD',
      category: 'Electronics',
      condition: 'Good',
      location: null,
      images: [],
      inspectionDays: 3,
      returnPolicy: 'no-returns',
      status: 'active',
      agreementsVersion: AGREEMENTS_VERSION,
      signedBy: 'seller',
      signedAt: new Date().toISOString(),
      deal: null,
      ...changes,
    }
  }

  /** A deal nobody has paid for. */
  async open(changes: Partial<ListingTerms> = {}, buyer = person(), seller = person()): Promise<DealUnderTest> {
    const body = { terms: this.terms(seller, changes), buyerId: buyer.id }
    const { status, body: deal } = await this.request<TransactionRecord>('POST', '/internal/transactions', {
      actor: buyer,
      body,
    })
    if (status !== 201) throw new Error(`the deal did not open: ${status} ${JSON.stringify(deal)}`)
    return { id: deal.id, buyer, seller, totalMinor: Math.round(Number(deal.money.buyerTotal) * 100) }
  }

  /** Begins to pay; the intent's id. */
  async beginPayment(deal: DealUnderTest, key: string = newId()): Promise<string> {
    const { status, body } = await this.request<{ clientSecret: string }>(
      'POST',
      `/api/transactions/${deal.id}/payments`,
      {
        actor: deal.buyer,
        body: { method: 'card' },
        headers: { 'idempotency-key': key },
      },
    )
    if (status !== 201) throw new Error(`no payment: ${status} ${JSON.stringify(body)}`)
    return body.clientSecret.split('_secret_')[0] as string
  }

  /** A paid deal, by the provider's signed word. */
  async paid(changes: Partial<ListingTerms> = {}): Promise<DealUnderTest & { readonly intent: string }> {
    const deal = await this.open(changes)
    const intent = await this.beginPayment(deal)
    await this.webhook(succeeded(intent, deal.totalMinor))
    return { ...deal, intent }
  }

  /** A deal in inspection. */
  async inInspection(changes: Partial<ListingTerms> = {}): Promise<DealUnderTest> {
    const deal = await this.paid(changes)
    await this.act(deal.id, deal.seller, 'tracking', { trackingNumber: `T${deal.id}`, carrier: 'UPS' })
    await this.act(deal.id, deal.buyer, 'confirm-delivery')
    return deal
  }

  act(id: number, actor: UserActor | null, command: string, body?: unknown, key?: string) {
    return this.request<{ status?: string; code?: string; details?: Record<string, unknown> }>(
      'POST',
      `/api/transactions/${id}/${command}`,
      { actor, body, ...(key && { headers: { 'idempotency-key': key } }) },
    )
  }

  /** Delivers a Stripe event, signed as Stripe signs. */
  webhook(event: { id: string }, secret = WEBHOOK_SECRET, at = Math.floor(Date.now() / 1000)) {
    const raw = JSON.stringify(event)
    const v1 = createHmac('sha256', secret).update(`${at}.${raw}`).digest('hex')
    return this.request<{ code?: string }>('POST', '/api/webhooks/stripe', {
      body: raw,
      headers: { 'stripe-signature': `t=${at},v1=${v1}` },
    })
  }

  /** Lets days pass for one deal: its deadline comes that much nearer. The service's own timers see it, too. */
  async elapse(id: number, days: number): Promise<void> {
    await this.database.admin.query(
      `UPDATE escrow.transaction SET due_at = due_at - $2 * interval '1 day' WHERE id = $1`,
      [id, days],
    )
  }

  async status(id: number): Promise<string> {
    return (await this.row<{ status: string }>('SELECT status FROM escrow.transaction WHERE id = $1', [id])).status
  }

  async row<R extends object>(sql: string, values: unknown[] = []): Promise<R> {
    return (await this.database.admin.query(sql, values)).rows[0] as R
  }

  /** Journal entries of a deal by kind, oldest first. */
  async entries(id: number): Promise<string[]> {
    const sql = 'SELECT kind FROM escrow.journal_entry WHERE transaction_id = $1 ORDER BY at, id'
    return (await this.database.admin.query<{ kind: string }>(sql, [id])).rows.map(row => row.kind)
  }

  /** Every deal's hold equals its postings, and the ledger sums to zero. */
  async imbalances(): Promise<unknown[]> {
    const holds = await this.database.admin.query(
      `SELECT t.id, t.hold_minor, coalesce(sum(CASE WHEN p.credit = 'hold:' || t.id THEN p.amount_minor ELSE -p.amount_minor END), 0) AS posted
       FROM escrow.transaction t LEFT JOIN escrow.posting p ON p.credit = 'hold:' || t.id OR p.debit = 'hold:' || t.id
       GROUP BY t.id HAVING t.hold_minor <> coalesce(sum(CASE WHEN p.credit = 'hold:' || t.id THEN p.amount_minor ELSE -p.amount_minor END), 0)`,
    )
    return holds.rows
  }
}

/** A `payment_intent.succeeded` as Stripe writes it, reduced to what is read. */
export const succeeded = (intent: string, amountMinor: number, id = `evt_${newId()}`) =>
  intentEvent('payment_intent.succeeded', { id: intent, status: 'succeeded', amount_received: amountMinor }, id)

export const declined = (intent: string, id = `evt_${newId()}`) =>
  intentEvent(
    'payment_intent.payment_failed',
    { id: intent, status: 'requires_payment_method', amount_received: 0 },
    id,
  )

function intentEvent(type: string, intent: { id: string; status: string; amount_received: number }, id: string) {
  return {
    id,
    object: 'event',
    type,
    livemode: false,
    data: {
      object: {
        object: 'payment_intent',
        amount: intent.amount_received,
        currency: 'usd',
        client_secret: null,
        latest_charge: null,
        metadata: {},
        last_payment_error: null,
        ...intent,
      },
    },
  }
}
