import type { OpenedSubscription, Subscription } from '@holdfast/contracts/subscriptions'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { SubscriptionProgressService } from '../src/billing/subscription-progress.service.js'
import type { RunningEscrow } from './running-escrow.js'

/** Enough for a payment to come in between. */
const VOID_DELAY_MS = 1_500

/** What of an event about a plan the tests read. */
interface Told {
  readonly plan?: string
  readonly reason?: string
}

/** Users who subscribe to Premium, and what the sandbox then has to say. Webhooks come only when a test sends them. */
export class PremiumUsers {
  private sent = 0

  constructor(private readonly escrow: RunningEscrow) {}

  begin(user: UserActor, interval?: 'month' | 'year') {
    const body = interval === undefined ? {} : { interval }
    return this.escrow.request<OpenedSubscription & { code?: string }>('POST', '/api/create-subscription', {
      actor: user,
      body,
    })
  }

  async view(user: UserActor): Promise<Subscription> {
    return (await this.escrow.request<Subscription>('GET', '/api/subscription', { actor: user })).body
  }

  change(user: UserActor, step: 'cancel' | 'resume') {
    return this.escrow.request<Subscription & { code?: string }>('POST', `/api/subscription/${step}`, { actor: user })
  }

  /** Pays at the provider as the browser does. */
  pay({ clientSecret }: Pick<OpenedSubscription, 'clientSecret'>, card?: string) {
    return this.escrow.dependencies.confirmCard(clientSecret.split('_secret_')[0]!, card)
  }

  /** A user with Premium, of whom the escrow knows. */
  async premium(user = userActor(), interval?: 'month' | 'year'): Promise<UserActor> {
    const { body } = await this.begin(user, interval)
    await this.pay(body)
    await this.sendEvents()
    return user
  }

  /** A step at the sandbox, of which the escrow does not know yet. */
  async atProvider(user: UserActor, step: 'renew' | 'charge' | 'fail' | 'retry', body: object = {}): Promise<void> {
    const { provider_subscription_id: id } = await this.row(user)
    await this.escrow.dependencies.control(`/subscriptions/${id}/${step}`, body)
  }

  /** Begins a request that voids an invoice, and runs `meanwhile` after the provider was asked to and before it does. */
  async whileVoiding<T>(request: () => Promise<T>, meanwhile: () => Promise<unknown>): Promise<T> {
    const { origin } = this.escrow.dependencies
    await this.escrow.dependencies.control('/faults', { kind: 'delay', path: '/void', delayMs: VOID_DELAY_MS })
    const answer = request()
    await eventually(async () => {
      const waiting = (await (await fetch(`${origin}/sandbox/faults`)).json()) as unknown[]
      return waiting.length === 0
    })
    await meanwhile()
    return answer
  }

  /** The latest payment of a user's Premium at the sandbox. */
  async intentOf(user: UserActor): Promise<string> {
    const { intent_id: id } = await this.escrow.row<{ intent_id: string }>(
      `SELECT intent_id FROM escrow.subscription_invoice WHERE user_id = $1 AND status = 'paid' ORDER BY period_ends_at DESC LIMIT 1`,
      [user.id],
    )
    return id
  }

  /** An operator refunds the user's latest payment in the provider's dashboard: in full, or a part. */
  async refund(user: UserActor, amount?: number): Promise<void> {
    const body = amount === undefined ? {} : { amount }
    return this.escrow.dependencies.control(`/payments/${await this.intentOf(user)}/refund`, body)
  }

  /** The user's bank takes the latest payment back. */
  async dispute(user: UserActor): Promise<void> {
    return this.escrow.dependencies.control(`/payments/${await this.intentOf(user)}/dispute`)
  }

  /** The next period begins, and the card is declined. */
  async decline(user: UserActor): Promise<void> {
    await this.atProvider(user, 'fail', { fails: true })
    await this.atProvider(user, 'renew')
  }

  /** Sends the events of subscriptions and invoices that were not sent yet. */
  async sendEvents({ reversed = false, again = false } = {}): Promise<void> {
    const all = [...this.escrow.sandbox.context.state.events.oldestFirst()]
    const news = again ? all : all.slice(this.sent)
    this.sent = all.length
    const events = news.filter(({ type }) =>
      /^(invoice|customer\.subscription|payment_intent|refund|charge\.dispute)\./.test(type),
    )
    for (const { id, type, createdAt, objectJson } of reversed ? events.reverse() : events) {
      const created = Math.floor(createdAt / 1000)
      const event = { id, object: 'event', type, created, livemode: false, data: { object: JSON.parse(objectJson) } }
      const { status } = await this.escrow.webhook(event)
      if (status !== 200) throw new Error(`${type} was answered with ${status}`)
    }
  }

  /** The timer looks at the user's subscription now. */
  async look(user: UserActor): Promise<void> {
    const { id } = await this.escrow.row<{ id: string }>(
      `UPDATE escrow.subscription SET due_at = now() - interval '1 second' WHERE user_id = $1 AND due_at IS NOT NULL RETURNING id`,
      [user.id],
    )
    await this.escrow.service.app.get(SubscriptionProgressService).fire(id)
  }

  /** Whether the timer looks at the user's subscription within this time, and not before. */
  async looksWithin(user: UserActor, ms: number): Promise<boolean> {
    const { due_at: dueAt } = await this.row(user)
    const aheadMs = dueAt === null ? Number.POSITIVE_INFINITY : dueAt.getTime() - Date.now()
    return aheadMs > ms / 2 && aheadMs <= ms
  }

  /** The card was declined so many days ago. */
  async passDays(user: UserActor, days: number): Promise<void> {
    await this.escrow.row(
      `UPDATE escrow.subscription SET past_due_since = past_due_since - $2 * interval '1 day' WHERE user_id = $1 RETURNING 1`,
      [user.id, days],
    )
  }

  row(user: UserActor) {
    return this.escrow.row<{
      id: string
      provider_subscription_id: string
      status: string
      plan: string
      due_at: Date | null
    }>('SELECT * FROM escrow.subscription WHERE user_id = $1 ORDER BY id DESC LIMIT 1', [user.id])
  }

  /** What other services were told of the user's plan, in order. The relay writes an event to the log before it deletes it here. */
  async told(user: UserActor): Promise<string[]> {
    const { rows } = await this.escrow.database.admin.query<{ type: string; payload: Told }>(
      `SELECT type, payload::jsonb AS payload FROM (SELECT event_id, type, key, payload::text AS payload, id AS n, 1 AS part FROM escrow.outbox
         WHERE event_id NOT IN (SELECT id FROM events.log)
         UNION ALL SELECT id, type, key, payload::text, position, 0 FROM events.log) e WHERE key = $1 AND type LIKE 'escrow.subscription.%' ORDER BY part, n`,
      [user.id],
    )
    return rows.map(({ type, payload }) =>
      type.includes('payment_failed')
        ? 'payment failed'
        : type.includes('cancelled')
          ? `cancelled: ${payload.reason}`
          : `${payload.plan}: ${payload.reason}`,
    )
  }

  /** What of the user's invoices is in the ledger, in minor units. */
  async booked(): Promise<{ paid: number; entries: number }> {
    const { rows } = await this.escrow.database.admin.query<{ minor: string | null; entries: string }>(
      `SELECT sum(p.amount_minor) AS minor, count(*) AS entries FROM escrow.journal_entry e JOIN escrow.posting p ON p.entry_id = e.id
        WHERE e.kind = 'subscription_paid' AND p.debit = 'provider_clearing' AND p.credit = 'revenue'`,
    )
    return { paid: Number(rows[0]?.minor ?? 0), entries: Number(rows[0]?.entries) }
  }
}
