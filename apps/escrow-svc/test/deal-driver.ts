import { createHmac } from 'node:crypto'
import type { ListingTerms } from '@holdfast/contracts/terms'
import type { TransactionRecord } from '@holdfast/contracts/transactions'
import { AGREEMENTS_VERSION } from '@holdfast/kernel/agreements'
import type { DealStatus, SettlementCause } from '@holdfast/kernel/deals'
import { newId } from '@holdfast/kernel/ids'
import { signedTerms } from '@holdfast/service-kit/agreement/terms-hash'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { type SignedAnswer, SignedClient, type SignedRequest, userActor } from '@holdfast/testing/signed-client'
import { succeeded } from '@holdfast/testing/stripe-events'
import { untilServed } from '@holdfast/testing/until-served'
import { ACTOR_KEYS, type Dependencies, SECRETS } from './dependencies.js'

/** A deal of a test, its parties, and what the buyer pays in minor units. */
export interface DealUnderTest {
  readonly id: number
  readonly buyer: UserActor
  readonly seller: UserActor
  readonly totalMinor: number
}

/** The answer to a command: the deal's status, or an error. */
export interface CommandAnswer {
  readonly status?: string
  readonly code?: string
  readonly details?: Record<string, unknown>
}

/**
 * Calls an escrow-svc as users, the provider, the carrier and dispute-svc do, and reads its database. Subclasses decide where
 * the service runs.
 */
export abstract class DealDriver {
  private listings = 1

  protected constructor(readonly dependencies: Dependencies) {}

  /** The port on which the service listens now. */
  protected abstract get port(): number

  get database() {
    return this.dependencies.database
  }

  get sandbox() {
    return this.dependencies.sandbox
  }

  /** Sends a request with a signed actor, as the gateway and other services do. */
  request<T = unknown>(method: string, path: string, request: SignedRequest = {}): Promise<SignedAnswer<T>> {
    return new SignedClient(this.port, 'escrow-svc', ACTOR_KEYS).request<T>(method, path, request)
  }

  /** The terms of a listing of its own, as its seller signed them. */
  terms(seller: UserActor, changes: Partial<ListingTerms> = {}): ListingTerms {
    return signedTerms({
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
    })
  }

  /** An unpaid deal that its buyer has opened by naming a seller, who knows nothing of it. */
  openNaming(changes: Partial<ListingTerms> = {}, buyer = userActor(), seller = userActor()): Promise<DealUnderTest> {
    const deal = { buyerId: buyer.id, sellerId: seller.id, openedBy: buyer.id }
    return this.open({ signedBy: 'buyer', deal, ...changes }, buyer, seller)
  }

  /** An unpaid deal. */
  async open(changes: Partial<ListingTerms> = {}, buyer = userActor(), seller = userActor()): Promise<DealUnderTest> {
    const body = { terms: this.terms(seller, changes), buyerId: buyer.id, purchase: null }
    const { status, body: deal } = await untilServed(() =>
      this.request<TransactionRecord>('POST', '/internal/transactions', { actor: buyer, body }),
    )
    if (status !== 201) throw new Error(`the deal did not open: ${status} ${JSON.stringify(deal)}`)
    return { id: deal.id, buyer, seller, totalMinor: Math.round(Number(deal.money.buyerTotal) * 100) }
  }

  pay(id: number, actor: UserActor | null, key: string | null, body: unknown = { method: 'card' }) {
    return this.request<{ paymentId: string; clientSecret: string; status: string; code?: string; details?: object }>(
      'POST',
      `/internal/transactions/${id}/payments`,
      { actor, body, ...(key && { headers: { 'idempotency-key': key } }) },
    )
  }

  /** Opens a payment. @returns the id of its intent */
  async beginPayment(deal: DealUnderTest, key: string = newId()): Promise<string> {
    const { status, body } = await untilServed(() => this.pay(deal.id, deal.buyer, key))
    if (status !== 201) throw new Error(`no payment: ${status} ${JSON.stringify(body)}`)
    return intentOf(body.clientSecret)
  }

  /** A deal that is paid for the escrow, by a signed event. The provider has no money for it, so it cannot refund it. */
  async paid(changes: Partial<ListingTerms> = {}): Promise<DealUnderTest & { readonly intent: string }> {
    const deal = await this.open(changes)
    const intent = await this.beginPayment(deal)
    await this.webhook(succeeded(intent, deal.totalMinor))
    return { ...deal, intent }
  }

  /** A paid deal whose money the provider has, so that it can also be refunded. */
  async paidAtProvider(changes: Partial<ListingTerms> = {}): Promise<DealUnderTest & { readonly intent: string }> {
    const deal = await this.open(changes)
    const intent = await this.beginPayment(deal)
    await this.confirmCard(intent)
    await this.webhook(succeeded(intent, deal.totalMinor))
    return { ...deal, intent }
  }

  /** Pays an intent at the provider. @throws Error when the card is not accepted */
  async confirmCard(intent: string, card?: string): Promise<void> {
    const { status } = await this.dependencies.confirmCard(intent, card)
    if (status !== 'succeeded') throw new Error(`the payment is ${status}`)
  }

  /** A deal in inspection. */
  async inInspection(changes: Partial<ListingTerms> = {}): Promise<DealUnderTest & { readonly intent: string }> {
    const deal = await this.paid(changes)
    const tracking = { trackingNumber: `T${deal.id}`, carrier: 'UPS' }
    await untilServed(() => this.act(deal.id, deal.seller, 'tracking', tracking))
    await untilServed(() => this.act(deal.id, deal.buyer, 'confirm-delivery'))
    return deal
  }

  /** Gives a command of a party. */
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

  /** Freezes or resumes a deal, as dispute-svc does. */
  dispute(id: number, step: 'freeze' | 'resume', disputeId: number, reporterId?: string) {
    return this.request<CommandAnswer>('POST', `/internal/transactions/${id}/${step}`, {
      caller: 'dispute-svc',
      actor: { kind: 'service', name: 'dispute-svc' },
      body: { disputeId, ...(reporterId && { reporterId }) },
    })
  }

  /** An operator without a part in the deal refunds it in full. */
  forceRefund(id: number) {
    const body = { reason: 'The parties asked for it.', reasonForParties: 'You both asked us for it.' }
    const request = { actor: { ...userActor(), role: 'admin' as const }, body }
    return this.request<{ state: string }>('POST', `/api/admin/transactions/${id}/refund`, request)
  }

  /** Gives escrow the command of dispute-svc that ends a dispute with money, again when the deal has changed since it was read. */
  async settleDispute(id: number, disputeId: number, end: { refundAmount: string | null; cause: SettlementCause }) {
    for (;;) {
      const read = await this.row<{ dealVersion: number; stoppedAtVersion: number | null }>(
        `SELECT version AS "dealVersion", (frozen ->> 'version')::int AS "stoppedAtVersion" FROM escrow.transaction WHERE id = $1`,
        [id],
      )
      const answer = await this.request<CommandAnswer>('POST', `/internal/transactions/${id}/settle-dispute`, {
        caller: 'dispute-svc',
        actor: { kind: 'service', name: 'dispute-svc' },
        body: { disputeId, by: null, heldAmount: null, ...read, ...end },
      })
      if (answer.body.details?.version === undefined) return answer
    }
  }

  /** Sends a Stripe event with Stripe's signature, as Stripe does: again while it is answered 503. */
  webhook(...event: Parameters<DealDriver['webhookOnce']>) {
    return untilServed(() => this.webhookOnce(...event))
  }

  webhookOnce(event: object, secret = SECRETS.STRIPE_WEBHOOK_SECRET, at = Math.floor(Date.now() / 1000)) {
    const raw = JSON.stringify(event)
    const v1 = createHmac('sha256', secret).update(`${at}.${raw}`).digest('hex')
    return this.request<{ code?: string }>('POST', '/api/webhooks/stripe', {
      body: raw,
      headers: { 'stripe-signature': `t=${at},v1=${v1}` },
    })
  }

  /** Sends what the sandbox has to say about an intent, as the provider sends it: every event, in its order. */
  async sendProviderEvents(intent: string, prefix: string): Promise<void> {
    for (const { id, type, createdAt, objectJson } of this.sandbox.context.state.events.oldestFirst()) {
      const object = JSON.parse(objectJson) as { payment_intent?: string }
      if (!type.startsWith(prefix) || object.payment_intent !== intent) continue
      const event = { id, type, created: Math.floor(createdAt / 1000), livemode: false, data: { object } }
      const { status } = await this.webhook(event)
      if (status !== 200) throw new Error(`${type} was answered with ${status}`)
    }
  }

  /** Sends an event of the crypto processor, again while it is answered 503. @param secret signs it; null for none */
  cryptoWebhook(...event: Parameters<DealDriver['cryptoWebhookOnce']>) {
    return untilServed(() => this.cryptoWebhookOnce(...event))
  }

  cryptoWebhookOnce(event: object, secret: string | null = SECRETS.COINIFY_WEBHOOK_SECRET) {
    const raw = JSON.stringify(event, null, 2)
    const headers =
      secret === null ? {} : { 'x-coinify-webhook-signature': createHmac('sha256', secret).update(raw).digest('hex') }
    return this.request<{ code?: string }>('POST', '/api/webhooks/coinify', { body: raw, headers })
  }

  /** Sends the carrier's signed update that a parcel was delivered, again while it is answered 503. */
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
    const digest = createHmac('sha256', SECRETS.CARRIER_WEBHOOK_SECRET).update(raw).digest('hex')
    return untilServed(() =>
      this.request<{ code?: string }>('POST', '/api/webhooks/carrier', {
        body: raw,
        headers: { 'x-hmac-signature': `hmac-sha256-hex=${digest}` },
      }),
    )
  }

  /** Moves the deadline of a deal to an earlier time, as if days had passed. The service's timers see it, too. */
  async elapse(id: number, days: number): Promise<void> {
    await this.database.admin.query(
      `UPDATE escrow.transaction SET due_at = due_at - $2 * interval '1 day' WHERE id = $1`,
      [id, days],
    )
  }

  async status(id: number): Promise<DealStatus> {
    return (await this.row<{ status: DealStatus }>('SELECT status FROM escrow.transaction WHERE id = $1', [id])).status
  }

  /** The first row of a query that runs as the owner of the database. */
  async row<R extends object>(sql: string, values: unknown[] = []): Promise<R> {
    return (await this.database.admin.query(sql, values)).rows[0] as R
  }

  /** The number of a deal's rows in a table. */
  async count(table: string, id: number): Promise<number> {
    return (await this.row<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE transaction_id = $1`, [id])).n
  }

  /** The kinds of a deal's journal entries, oldest first. */
  async entries(id: number): Promise<string[]> {
    const sql = 'SELECT kind FROM escrow.journal_entry WHERE transaction_id = $1 ORDER BY at, id'
    return (await this.database.admin.query<{ kind: string }>(sql, [id])).rows.map(row => row.kind)
  }
}

/** The id of the intent to which a client secret belongs. */
export const intentOf = (clientSecret: string): string => clientSecret.split('_secret_')[0] as string
