import { createHmac } from 'node:crypto'
import type { ListingTerms } from '@holdfast/contracts/terms'
import type { TransactionRecord } from '@holdfast/contracts/transactions'
import { AGREEMENTS_VERSION } from '@holdfast/kernel/agreements'
import { newId } from '@holdfast/kernel/ids'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { type SignedAnswer, SignedClient, type SignedRequest } from '@holdfast/testing/signed-client'
import { succeeded } from './stripe-events.js'
import { ACTOR_KEYS, CARRIER_SECRET, type Surroundings, WEBHOOK_SECRET } from './surroundings.js'

export const person = (id = newId()): UserActor => ({ kind: 'user', id, role: 'user', plan: 'standard' })

/** A deal that a test works with, and its parties. */
export interface DealUnderTest {
  readonly id: number
  readonly buyer: UserActor
  readonly seller: UserActor
  readonly totalMinor: number
}

/** The short answer of a command, or a refusal. */
export interface CommandAnswer {
  readonly status?: string
  readonly code?: string
  readonly details?: Record<string, unknown>
}

/** Everything people, the provider, the carrier and dispute-svc do to an escrow, wherever it runs. */
export abstract class DealDriver {
  private listings = 1

  protected constructor(readonly surroundings: Surroundings) {}

  /** Where the service listens now. */
  protected abstract get port(): number

  get database() {
    return this.surroundings.database
  }

  get sandbox() {
    return this.surroundings.sandbox
  }

  request<T = unknown>(method: string, path: string, request: SignedRequest = {}): Promise<SignedAnswer<T>> {
    return new SignedClient(this.port, 'escrow-svc', ACTOR_KEYS).request<T>(method, path, request)
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

  pay(id: number, actor: UserActor | null, key: string | null, body: unknown = { method: 'card' }) {
    return this.request<{ paymentId: string; clientSecret: string; status: string; code?: string; details?: object }>(
      'POST',
      `/api/transactions/${id}/payments`,
      { actor, body, ...(key && { headers: { 'idempotency-key': key } }) },
    )
  }

  /** Begins to pay; the intent's id. */
  async beginPayment(deal: DealUnderTest, key: string = newId()): Promise<string> {
    const { status, body } = await this.pay(deal.id, deal.buyer, key)
    if (status !== 201) throw new Error(`no payment: ${status} ${JSON.stringify(body)}`)
    return intentOf(body.clientSecret)
  }

  /** A paid deal, by the provider's signed word. */
  async paid(changes: Partial<ListingTerms> = {}): Promise<DealUnderTest & { readonly intent: string }> {
    const deal = await this.open(changes)
    const intent = await this.beginPayment(deal)
    await this.webhook(succeeded(intent, deal.totalMinor))
    return { ...deal, intent }
  }

  /** A paid deal whose money the provider really has, so that it can also give it back. */
  async paidAtProvider(changes: Partial<ListingTerms> = {}): Promise<DealUnderTest & { readonly intent: string }> {
    const deal = await this.open(changes)
    const intent = await this.beginPayment(deal)
    await this.confirmed(intent)
    await this.webhook(succeeded(intent, deal.totalMinor))
    return { ...deal, intent }
  }

  async confirmed(intent: string, card?: string): Promise<void> {
    const { status } = await this.surroundings.confirmCard(intent, card)
    if (status !== 'succeeded') throw new Error(`the sandbox says ${status}`)
  }

  /** A deal in inspection. */
  async inInspection(changes: Partial<ListingTerms> = {}): Promise<DealUnderTest> {
    const deal = await this.paid(changes)
    await this.act(deal.id, deal.seller, 'tracking', { trackingNumber: `T${deal.id}`, carrier: 'UPS' })
    await this.act(deal.id, deal.buyer, 'confirm-delivery')
    return deal
  }

  act(id: number, actor: UserActor | null, command: string, body?: unknown, key?: string | null) {
    return this.request<CommandAnswer>('POST', `/api/transactions/${id}/${command}`, {
      actor,
      body,
      ...(key && { headers: { 'idempotency-key': key } }),
    })
  }

  cancel(id: number, actor: UserActor | null, key?: string | null) {
    const headers = key ? { 'idempotency-key': key } : {}
    return this.request<CommandAnswer>('DELETE', `/api/transactions/${id}`, { actor, headers })
  }

  /** As dispute-svc: `freeze` with who filed it, or `resume`. */
  dispute(id: number, step: 'freeze' | 'resume', disputeId: number, reporterId?: string) {
    return this.request<CommandAnswer>('POST', `/internal/transactions/${id}/${step}`, {
      caller: 'dispute-svc',
      actor: { kind: 'service', name: 'dispute-svc' },
      body: { disputeId, ...(reporterId && { reporterId }) },
    })
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

  /** The carrier's signed word that a parcel was delivered. */
  carrierDelivers(trackingNumber: string, at = new Date()) {
    const scan = { message: 'Delivered', status: 'delivered', datetime: at.toISOString() }
    const result = {
      id: `trk_${trackingNumber}`,
      tracking_code: trackingNumber,
      carrier: 'UPS',
      status: 'delivered',
      updated_at: at.toISOString(),
      tracking_details: [scan],
    }
    const raw = JSON.stringify({ description: 'tracker.updated', result })
    const digest = createHmac('sha256', CARRIER_SECRET).update(raw).digest('hex')
    return this.request<{ code?: string }>('POST', '/api/webhooks/carrier', {
      body: raw,
      headers: { 'x-hmac-signature': `hmac-sha256-hex=${digest}` },
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

  async count(table: string, id: number): Promise<number> {
    return (await this.row<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE transaction_id = $1`, [id])).n
  }

  /** Journal entries of a deal by kind, oldest first. */
  async entries(id: number): Promise<string[]> {
    const sql = 'SELECT kind FROM escrow.journal_entry WHERE transaction_id = $1 ORDER BY at, id'
    return (await this.database.admin.query<{ kind: string }>(sql, [id])).rows.map(row => row.kind)
  }
}

/** The intent that a client secret belongs to. */
export const intentOf = (clientSecret: string): string => clientSecret.split('_secret_')[0] as string
