import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Dispute } from '@holdfast/contracts/disputes'
import type { ListingTerms } from '@holdfast/contracts/terms'
import type { TransactionRecord } from '@holdfast/contracts/transactions'
import { AGREEMENTS_VERSION } from '@holdfast/kernel/agreements'
import { newId } from '@holdfast/kernel/ids'
import { signedTerms } from '@holdfast/service-kit/agreement/terms-hash'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { isCaughtUp, redeliverAll } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import type { ScratchDatabase } from '@holdfast/testing/scratch-database'
import { userActor } from '@holdfast/testing/signed-client'
import { succeeded } from '@holdfast/testing/stripe-events'
import { DisputesService } from '../src/disputes/disputes.service.js'
import type { EscrowLine } from './escrow-line.js'
import { SECRETS, ServiceReplicas } from './service-replicas.js'

/** The timers of both services sweep every few seconds, and the machine may be busy. */
const WITHIN_MS = 50_000
const CHECK_BOOKS = join(import.meta.dirname, '../../escrow-svc/dist/check-books.js')

/** A shipped deal and its parties. */
export interface ShippedDeal {
  readonly id: number
  readonly buyer: UserActor
  readonly seller: UserActor
  /** The intent that paid for it, and what the buyer paid in minor units. */
  readonly intent: string
  readonly totalMinor: number
}

/** Plays the users, the payment provider and the carrier of deals at both services, and reads what both services know of a deal. */
export class TwoServices {
  private listings = 1

  private constructor(readonly replicas: ServiceReplicas) {}

  static async start(): Promise<TwoServices> {
    return new TwoServices(await ServiceReplicas.start())
  }

  stop(): Promise<void> {
    return this.replicas.stop()
  }

  /** The proxy between the two services. */
  get line(): EscrowLine {
    return this.replicas.line
  }

  /** A deal that is paid and shipped. */
  async shipped(price = '100.00'): Promise<ShippedDeal> {
    const [buyer, seller] = [userActor(), userActor()]
    const opened = await this.call<TransactionRecord>('POST', '/internal/transactions', buyer, {
      ...{ terms: this.terms(seller, price), buyerId: buyer.id, purchase: null },
    })
    const { id, money } = opened
    const paid = await this.call<{ clientSecret: string }>(
      'POST',
      `/internal/transactions/${id}/payments`,
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

  /** An operator refunds a deal that holds money. */
  forceRefund({ id }: ShippedDeal, operator: UserActor): Promise<unknown> {
    return this.call('POST', `/api/admin/transactions/${id}/refund`, operator, {
      reason: 'Both parties asked for it',
      reasonForParties: 'You both asked us for it',
    })
  }

  /** Gives a command of a party to escrow-svc, which may refuse it. @throws Error for an answer that is no refusal */
  async try({ id }: ShippedDeal, actor: UserActor, command: 'confirm-delivery' | 'accept' | 'refund'): Promise<void> {
    const path = `/api/transactions/${id}/${command}`
    const { status } = await this.replicas.nextEscrow().client.request('POST', path, { actor })
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
    await this.replicas.nextDispute().running.app.get(DisputesService, { strict: false }).retry(id)
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

  /** What `check-books` of escrow-svc says is wrong with the books, and events that a handler gave up. */
  async faultsInBooks(): Promise<unknown[]> {
    const env = { PATH: process.env.PATH, DATABASE_URL: this.database.url() }
    // It ends with status 1 when something is wrong, and the error's message then has what it wrote.
    const faults = await promisify(execFile)(process.execPath, [CHECK_BOOKS], { env }).then(
      () => [],
      (error: Error) => [error.message],
    )
    return [...faults, ...(await this.database.admin.query('SELECT * FROM events.dead_letter')).rows]
  }

  /** How often a dispute of a deal was ended with money. */
  async settlementsOf({ id }: ShippedDeal): Promise<number> {
    const sql = `SELECT count(*)::int AS n FROM escrow.journal_entry WHERE transaction_id = $1 AND kind = 'settlement'`
    return (await this.database.admin.query<{ n: number }>(sql, [id])).rows[0]!.n
  }

  /** How often a dispute of any deal was ended with money. */
  async countSettlements(): Promise<number> {
    const sql = `SELECT count(*)::int AS n FROM escrow.journal_entry WHERE kind = 'settlement'`
    return (await this.database.admin.query<{ n: number }>(sql)).rows[0]!.n
  }

  /** The id of the latest dispute on a deal, which may be a filing that escrow has not answered. */
  async latestOn({ id }: ShippedDeal): Promise<number> {
    const sql = 'SELECT max(id)::int AS id FROM dispute.dispute WHERE transaction_id = $1'
    return (await this.database.admin.query<{ id: number }>(sql, [id])).rows[0]!.id
  }

  /** The disputes that a user sees, newest first. */
  async disputesOf(who: UserActor): Promise<Dispute[]> {
    return (
      await this.replicas.nextDispute().client.request<Dispute[]>('GET', `/api/disputes/user/${who.id}`, { actor: who })
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
   * one; its time limits are stopped exactly while a bank decides; and no call between the two is outstanding.
   */
  async agree(deal: ShippedDeal): Promise<void> {
    const sql = `SELECT t.status, coalesce(json_agg(json_build_object('id', d.id, 'step', d.step, 'system', d.reporter_id IS NULL))
        FILTER (WHERE d.status <> 'closed'), '[]') AS open,
        coalesce(bool_and(d.step IN ('settled', 'refused')), true) AS settled, (t.frozen ->> 'disputeId')::int AS by,
        coalesce(jsonb_array_length(t.frozen -> 'chargebacks'), 0) > 0 AS bank,
        coalesce(bool_or(c.stopped), false) AS stopped, coalesce(bool_or(c.runs), false) AS runs
      FROM escrow.transaction t LEFT JOIN dispute.dispute d ON d.transaction_id = t.id
        LEFT JOIN LATERAL (SELECT bool_or(stopped_at IS NOT NULL) AS stopped, bool_or(stopped_at IS NULL) AS runs
          FROM dispute.dispute_clock WHERE dispute_id = d.id AND ended_at IS NULL) c ON true
      WHERE t.id = $1 GROUP BY t.id`
    let seen: unknown
    const agreed = async () => {
      const { rows } = await this.database.admin.query(sql, [deal.id])
      seen = rows[0]
      const { status, open, settled, by, bank, stopped, runs } = rows[0]
      if (!settled) return false
      if (status !== 'disputed') return open.length === 0
      if (bank ? runs : stopped || !runs) return false
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

  private terms(seller: UserActor, amount: string): ListingTerms {
    const item = { title: 'Camera', description: 'A good one.', category: 'Electronics', condition: 'Good' } as const
    const price = { price: amount, currency: 'USD', inspectionDays: 3, returnPolicy: 'no-returns' } as const
    const signed = {
      agreementsVersion: AGREEMENTS_VERSION,
      signedBy: 'seller',
      signedAt: new Date().toISOString(),
    } as const
    const listing = { listingId: this.listings++, sellerId: seller.id, status: 'active' } as const
    return signedTerms({ ...listing, ...item, ...price, ...signed, location: null, images: [], deal: null })
  }

  get database(): ScratchDatabase {
    return this.replicas.database
  }

  /** Sends a request to dispute-svc. */
  ask<T = Dispute>(path: string, actor: UserActor, key?: string, body?: object) {
    const headers = key ? { 'idempotency-key': key } : {}
    const { client } = this.replicas.nextDispute()
    return client.request<T & { code?: string }>('POST', path, { actor, body, headers })
  }

  private async call<T>(
    method: string,
    path: string,
    actor: UserActor | null,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<T> {
    const answer = await this.replicas.nextEscrow().client.request<T>(method, path, { actor, body, headers })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
}
