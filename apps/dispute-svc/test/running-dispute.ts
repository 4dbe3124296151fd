import { randomBytes } from 'node:crypto'
import type { Dispute, DisputeCaseRecord, Evidence } from '@holdfast/contracts/disputes'
import {
  type EventDefinition,
  transactionCancelled,
  transactionChargebackClosed,
  transactionChargebackOpened,
  transactionDisputed,
  transactionDisputeEnded,
  transactionRefundFailed,
} from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import type { CancelCause, DealStatus, DisputeCause, DisputeEndCause } from '@holdfast/kernel/deals'
import { newId } from '@holdfast/kernel/ids'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { type RunningService, type ServiceOptions, startService } from '@holdfast/service-kit/lifecycle/service'
import { isCaughtUp, publishAs } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { ScratchService, type Started, scratchEnvironment, startOnScratch } from '@holdfast/testing/scratch-service'
import { ScratchStorage } from '@holdfast/testing/scratch-storage'
import { timersGrants, timersPlan } from '@holdfast/timers/migrations'
import { loadDisputeConfig } from '../src/config.js'
import { DisputesService } from '../src/disputes/disputes.service.js'
import { plan } from '../src/migrations/plan.js'
import { disputeService } from '../src/service.js'
import { aDeal, type Deal, ESCROW_KEYS, FakeEscrow } from './fake-escrow.js'

/** What an event says about the bank. An event of an older release has neither. */
interface BankFacts {
  readonly waitsForBank?: boolean | undefined
  readonly version?: number | undefined
}

/** What a refusal has in place of the answer. */
interface Refused {
  readonly code?: string
  readonly details?: { readonly fields?: Readonly<Record<string, string>> }
}

export const MASTER_KEY = `2026-01:${randomBytes(32).toString('base64url')}`

/** dispute-svc with a fake escrow. */
export class RunningDispute extends ScratchService {
  private constructor(
    started: Started,
    readonly escrow: FakeEscrow,
    readonly storage: ScratchStorage,
    private readonly serviceWith: (env: NodeJS.ProcessEnv) => ServiceOptions,
  ) {
    super(started)
  }

  static async start(): Promise<RunningDispute> {
    const escrow = new FakeEscrow()
    const ESCROW_URL = await escrow.start()
    const storage = await ScratchStorage.make()
    const service = (env: NodeJS.ProcessEnv) => {
      const keys = { ...JSON.parse(env.ACTOR_KEYS!), ...JSON.parse(ESCROW_KEYS) }
      const own = { ACTOR_KEYS: JSON.stringify(keys), ENCRYPTION_KEYS: MASTER_KEY, ESCROW_URL, ...storage.environment }
      return disputeService(loadDisputeConfig({ ...own, ...env, ACTOR_KEYS: own.ACTOR_KEYS }))
    }
    const more = [{ ...timersPlan, grants: timersGrants([plan.role]) }]
    const started = await startOnScratch({ plan, more, callers: ['gateway'], service })
    return new RunningDispute(started, escrow, storage, service)
  }

  /** Starts another instance of the service on the same database. The caller closes it. */
  startReplica(more: NodeJS.ProcessEnv = {}): Promise<RunningService> {
    const environment = scratchEnvironment({ database: this.database, keys: this.keys, role: plan.role })
    return startService(this.serviceWith({ ...environment, ...more }))
  }

  override async stop(): Promise<void> {
    await super.stop()
    await this.escrow.stop()
    await this.storage.remove()
  }

  file(deal: Pick<Deal, 'id'>, reporter: UserActor, key?: string, description = 'It is in two pieces.') {
    const body = { transactionId: deal.id, reason: 'damaged_item', description }
    return this.command('/api/disputes', reporter, key, body)
  }

  /** A dispute that its buyer has filed. */
  async aDispute() {
    const deal = aDeal()
    this.escrow.agree(deal)
    const { body } = await this.file(deal, deal.buyer)
    return { id: body.id, deal, buyer: deal.buyer, seller: deal.seller }
  }

  withdraw(id: number, who: UserActor, key?: string) {
    return this.command(`/api/disputes/${id}/withdraw`, who, key)
  }

  addEvidence(
    id: number,
    actor: UserActor,
    images: readonly string[],
    { note = 'It arrived like this.', key = newId() } = {},
  ) {
    const request = { actor, body: { note, images }, headers: { 'idempotency-key': key } }
    return this.client.request<Evidence & Refused>('POST', `/api/disputes/${id}/evidence`, request)
  }

  /** The evidence of a dispute as a user sees it. */
  async evidenceOf(id: number, actor: UserActor): Promise<Evidence[]> {
    return (await this.client.request<DisputeCaseRecord>('GET', `/internal/disputes/${id}`, { actor })).body.evidence
  }

  /** The number of stored pictures. */
  async objects(): Promise<number> {
    return (await this.storage.files()).length
  }

  private command(path: string, actor: UserActor, key?: string, body?: object) {
    const headers = key ? { 'idempotency-key': key } : {}
    return this.client.request<Dispute & { code?: string }>('POST', path, { actor, body, headers })
  }

  /** Writes a filing of the buyer as another replica does, and leaves its dbTx open. The returned function commits it. */
  async writeFiling({ id, buyer }: Deal): Promise<() => Promise<void>> {
    const client = await this.database.admin.connect()
    await client.query('BEGIN')
    await client.query(
      `INSERT INTO dispute.dispute (transaction_id, reporter_id, reason, description, status, step, retry_at, created_at, updated_at)
       VALUES ($1, $2, 'other', 'It is late.', 'open', 'freezing', now() + interval '1 hour', now(), now())`,
      [id, buyer.id],
    )
    return async () => {
      await client.query('COMMIT')
      client.release()
    }
  }

  /** The seconds until a call for a dispute is repeated, by the database's clock. */
  async secondsToRetry(id: number): Promise<number> {
    const { rows } = await this.database.admin.query<{ seconds: number }>(
      'SELECT extract(epoch FROM retry_at - now())::float AS seconds FROM dispute.dispute WHERE id = $1',
      [id],
    )
    return rows[0]!.seconds
  }

  /** The value of a counter of this service. */
  async metric(name: string): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${this.running.opsPort}/metrics`)).text()
    return Number(new RegExp(`^${name}(?:\\{.*\\})? (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
  }

  /** The disputes that a user sees. */
  async listOf(who: UserActor): Promise<Dispute[]> {
    return (await this.client.request<Dispute[]>('GET', `/api/disputes/user/${who.id}`, { actor: who })).body
  }

  /** The service itself, to call it without a request. */
  get service(): DisputesService {
    return this.running.app.get(DisputesService, { strict: false })
  }

  /** Makes the next attempt due, and resolves when an attempt has settled the dispute. */
  async retry(id: number): Promise<void> {
    await this.database.admin.query('UPDATE dispute.dispute SET retry_at = now() WHERE id = $1', [id])
    await this.service.retry(id)
    const settled = `SELECT 1 FROM dispute.dispute WHERE id = $1 AND step = 'settled'`
    await eventually(async () => (await this.database.admin.query(settled, [id])).rowCount)
  }

  /** Publishes that the buyer's bank disputes the payment of a stopped deal; resolves when the event is handled. */
  bankAsks(deal: Deal, facts: BankFacts = {}, at?: Date): Promise<void> {
    const asks = { status: 'disputed', chargeback: '107.00', waitsForBank: true, ...facts }
    return this.escrowPublishes(transactionChargebackOpened, deal, asks, at)
  }

  /** Publishes that the buyer's bank has decided about the payment of a deal; resolves when the event is handled. */
  bankDecided(
    deal: Deal,
    outcome: 'won' | 'lost',
    status: DealStatus,
    facts: BankFacts = {},
    at?: Date,
  ): Promise<void> {
    const decided = { status, chargeback: '107.00', waitsForBank: false, outcome, ...facts }
    return this.escrowPublishes(transactionChargebackClosed, deal, decided, at)
  }

  /** Publishes that a refund of a deal has failed; resolves when the event is handled. */
  refundFailed(deal: Deal, status: DealStatus): Promise<void> {
    return this.escrowPublishes(transactionRefundFailed, deal, { status, refund: '30.00' })
  }

  /** Publishes that a paid deal was cancelled; resolves when the event is handled. */
  dealCancelled(deal: Deal, cause: CancelCause): Promise<void> {
    return this.escrowPublishes(transactionCancelled, deal, { status: 'cancelled', wasFunded: true, cause })
  }

  /** Publishes that escrow froze a deal; resolves when the event is handled. */
  escrowFroze(deal: Deal, cause: DisputeCause, disputeId: number | null = null, at = new Date()): Promise<void> {
    const waitsForBank = cause === 'chargeback'
    return this.escrowPublishes(transactionDisputed, deal, { status: 'disputed', disputeId, cause, waitsForBank }, at)
  }

  /** Publishes that escrow ended the system's dispute of a deal; resolves when the event is handled. */
  escrowEndedDispute(deal: Deal, cause: DisputeEndCause, at = new Date()): Promise<void> {
    return this.escrowPublishes(transactionDisputeEnded, deal, { status: 'shipped', cause }, at)
  }

  private async escrowPublishes(
    event: EventDefinition,
    { id, buyer, seller }: Deal,
    facts: object,
    at = new Date(),
  ): Promise<void> {
    const parties = { transactionId: id, listingId: 1, buyerId: buyer.id, sellerId: seller.id, title: 'Camera' }
    const money = { amount: '100.00', currency: 'USD', at: at.toISOString(), actor: 'system' }
    await publishAs('escrow-svc', this.database, newEvent(event, id, { ...parties, ...money, ...facts }, at))
    await eventually(() => isCaughtUp('dispute-svc', this.database))
  }

  /** The types of the events about a deal's disputes, oldest first, once the outbox is empty. */
  async published(transactionId: number): Promise<string[]> {
    await eventually(async () => (await this.database.admin.query('SELECT 1 FROM dispute.outbox')).rowCount === 0)
    const { rows } = await this.database.admin.query<{ type: string }>(
      `SELECT type FROM events.log WHERE topic = 'dispute.dispute' AND payload ->> 'transactionId' = $1 ORDER BY position`,
      [String(transactionId)],
    )
    return rows.map(row => row.type)
  }

  /** The status and step of each dispute of a deal, without the filings that escrow has refused. */
  async stepsOf(transactionId: number): Promise<{ id: number; status: string; step: string }[]> {
    const { rows } = await this.database.admin.query<{ id: number; status: string; step: string }>(
      `SELECT id::int AS id, status, step FROM dispute.dispute WHERE transaction_id = $1 AND step <> 'refused' ORDER BY id`,
      [transactionId],
    )
    return rows
  }

  /** The ids of the filings on a deal that escrow has refused. */
  async refusedOn(transactionId: number): Promise<number[]> {
    const { rows } = await this.database.admin.query<{ id: number }>(
      `SELECT id::int AS id FROM dispute.dispute WHERE transaction_id = $1 AND step = 'refused'`,
      [transactionId],
    )
    return rows.map(({ id }) => id)
  }
}
