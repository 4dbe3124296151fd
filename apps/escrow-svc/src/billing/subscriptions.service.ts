import { setTimeout as sleep } from 'node:timers/promises'
import type { Invoice, OpenedSubscription, Subscription } from '@holdfast/contracts/subscriptions'
import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { formatAmount } from '@holdfast/kernel/money'
import {
  MAX_INVOICES_SHOWN,
  PREMIUM_PRICE_MINOR,
  SUBSCRIPTIONS_OF_A_USER,
  type SubscriptionInterval,
} from '@holdfast/kernel/subscriptions'
import { Attempts } from '@holdfast/service-kit/auth/attempts'
import { databaseTime, fromNow } from '@holdfast/service-kit/database/database-time'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager, In, Not } from 'typeorm'
import type { z } from 'zod'
import type { EscrowConfig } from '../config.js'
import { AttemptFailed } from '../provider/stripe-calls.js'
import { BillingProvider } from './billing.provider.js'
import { CustomersService } from './customers.service.js'
import { planOf, premiumUntil } from './domain/plan-of.js'
import { InvoiceEntity, SubscriptionEntity } from './subscription.entity.js'
import { SubscriptionProgressService } from './subscription-progress.service.js'

/** While a payment is awaited, the provider is asked at most this often, and a user who looks waits this long for it. */
const ASK_AGAIN_AFTER_MS = 2_000
const ANSWER_WITHIN_MS = 2_000
/** When a subscription whose creation was not finished is looked for at the provider. */
const LOOK_FOR_LOST_DAYS = 1 / 24
/** How often one request tries to open a subscription in place of one that has ended meanwhile. */
const OPENINGS_AT_ONCE = 3
const CURRENCY = 'USD'
const UNSETTLED = ['creating', 'incomplete', 'past_due'] as const

/** Premium: beginning it, its state, cancelling it, and its invoices. */
@Injectable()
export class SubscriptionsService {
  private readonly log = loggerOf('subscriptions')
  private readonly begun: Attempts

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly customers: CustomersService,
    private readonly provider: BillingProvider,
    private readonly progress: SubscriptionProgressService,
    @Inject(CONFIG) private readonly config: EscrowConfig,
  ) {
    this.begun = new Attempts(dataSource, 'subscriptions-of-user', SUBSCRIPTIONS_OF_A_USER)
  }

  /**
   * Begins a subscription, takes up the one that waits for its first payment, or lets the user pay the period whose card was declined.
   * Nothing is charged here: the browser confirms the payment at the provider.
   *
   * @param interval null: that of the subscription that waits for its first payment, or monthly
   * @throws DomainError `SUBSCRIPTION_EXISTS` for one that is paid, `PAYMENT_PROVIDER_UNAVAILABLE`, `CONFLICT`, `RATE_LIMITED`
   */
  async begin(userId: string, interval: SubscriptionInterval | null): Promise<z.input<typeof OpenedSubscription>> {
    await this.begun.count(userId)
    const customerId = await this.customers.getOrOpen(userId)
    for (let opening = 0; opening < OPENINGS_AT_ONCE; opening++) {
      const open = await this.findOrInsert(userId, interval)
      const asked = await this.atProvider(open, customerId)
      if (asked.status === 'active') throw new DomainError('SUBSCRIPTION_EXISTS')
      if (asked.status === 'ended') continue
      if (asked.status === 'incomplete' && interval !== null && interval !== asked.interval) {
        await this.provider.endSubscription(asked.providerSubscriptionId as string)
        await this.progress.ask(asked.id)
        continue
      }
      const answer = await this.payable(asked)
      if (answer) return answer
      // It was paid, or has ended, at this moment.
      await this.progress.ask(asked.id)
    }
    throw new DomainError('CONFLICT')
  }

  /** The plan and the subscription of a user. While a payment is awaited the provider is asked: the user may just have paid. */
  async view(userId: string): Promise<z.input<typeof Subscription>> {
    const known = await this.findLatest(userId)
    return this.viewOf(known && (await this.askIfDue(known)))
  }

  /**
   * Lets a subscription end with the period that is paid. One whose card was declined ends at once, since its period is not paid.
   *
   * @throws DomainError `SUBSCRIPTION_NOT_FOUND`, `PAYMENT_PROVIDER_UNAVAILABLE`, `CONFLICT` when it has ended meanwhile
   */
  async cancel(userId: string): Promise<z.input<typeof Subscription>> {
    const { id, status, providerSubscriptionId } = await this.getRunning(userId)
    if (status === 'past_due') await this.provider.endSubscription(providerSubscriptionId as string)
    else await this.change(id, providerSubscriptionId as string, true)
    return this.viewOf(await this.progress.ask(id))
  }

  /** Lets a subscription go on that was to end with its period. Throws as `cancel`. */
  async resume(userId: string): Promise<z.input<typeof Subscription>> {
    const { id, providerSubscriptionId } = await this.getRunning(userId)
    await this.change(id, providerSubscriptionId as string, false)
    return this.viewOf(await this.progress.ask(id))
  }

  /**
   * Lets a user's subscription end at once, in the caller's dbTx. The timer ends it at the provider, as often as that takes, and Premium
   * ends when the provider has done so. Nothing is returned of what was paid.
   */
  async endAtOnce(manager: EntityManager, userId: string): Promise<void> {
    await manager.update(
      SubscriptionEntity,
      { userId, status: Not('ended') },
      { endsAtOnce: true, dueAt: fromNow(0), updatedAt: fromNow(0) },
    )
  }

  /** The newest invoices of a user. */
  async invoices(userId: string): Promise<z.input<typeof Invoice>[]> {
    const rows = await this.dataSource
      .getRepository(InvoiceEntity)
      .find({ where: { userId }, order: { createdAt: 'DESC', id: 'DESC' }, take: MAX_INVOICES_SHOWN })
    const ids = [...new Set(rows.map(({ subscriptionId }) => subscriptionId))]
    const subscriptions = await this.rows.findBy({ id: In(ids) })
    const intervals = new Map(subscriptions.map(({ id, interval }) => [id, interval]))
    return rows.map(row => ({
      id: row.id,
      number: row.number,
      status: row.status,
      amount: formatAmount(row.amountMinor, row.currency),
      currency: row.currency,
      interval: intervals.get(row.subscriptionId) as SubscriptionInterval,
      periodStartsAt: row.periodStartsAt.toISOString(),
      periodEndsAt: row.periodEndsAt.toISOString(),
      createdAt: row.createdAt.toISOString(),
      paidAt: row.paidAt?.toISOString() ?? null,
    }))
  }

  /** The provider's id of the subscription that is under way; null when there is none. */
  async findProviderId(userId: string): Promise<string | null> {
    return (await this.findOpen(userId))?.providerSubscriptionId ?? null
  }

  /** The subscription that has not ended, or a new one. Two requests at the same time get the same one. */
  private async findOrInsert(userId: string, interval: SubscriptionInterval | null): Promise<SubscriptionEntity> {
    const open = await this.findOpen(userId)
    if (open) return open
    const chosen = interval ?? 'month'
    await this.dataSource.query(
      `INSERT INTO subscription (id, user_id, interval, amount_minor, currency, status, due_at, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, 'creating', now() + $6 * interval '1 second', now(), now()) ON CONFLICT DO NOTHING`,
      [
        newId(),
        userId,
        chosen,
        PREMIUM_PRICE_MINOR[chosen].toString(),
        CURRENCY,
        LOOK_FOR_LOST_DAYS * this.config.DAY_SECONDS,
      ],
    )
    const found = await this.findOpen(userId)
    if (!found) throw new DomainError('CONFLICT')
    return found
  }

  /** Creates a subscription at the provider, unless it is there, and asks where it is. */
  private async atProvider(row: SubscriptionEntity, customerId: string): Promise<SubscriptionEntity> {
    if (row.status === 'creating') {
      const { id, attempt } = row
      try {
        const providerSubscriptionId = await this.provider.createSubscription({ ...row, customerId })
        // Another request may have recorded it already: both share the provider's key.
        const created = { status: 'incomplete', providerSubscriptionId, updatedAt: fromNow(0) } as const
        await this.rows.update({ id, status: 'creating' }, created)
      } catch (error) {
        if (!(error instanceof AttemptFailed)) throw error
        this.log.error({ err: error, subscriptionId: id, attempt }, 'the provider has refused to create a subscription')
        await this.rows.update({ id, attempt }, { attempt: attempt + 1 })
        throw new DomainError('PAYMENT_PROVIDER_UNAVAILABLE')
      }
    }
    return this.progress.ask(row.id)
  }

  /** What the browser needs to pay the latest invoice; null when it needs no payment. */
  private async payable(row: SubscriptionEntity): Promise<z.input<typeof OpenedSubscription> | null> {
    const invoice = await this.dataSource.getRepository(InvoiceEntity).findOne({
      // The user first, because the index begins with them.
      where: { userId: row.userId, subscriptionId: row.id, status: 'open' },
      order: { createdAt: 'DESC', id: 'DESC' },
    })
    const clientSecret = invoice && (await this.provider.secretOf(invoice.id))
    if (!invoice || !clientSecret) return null
    const { STRIPE_PUBLIC_URL: providerUrl, STRIPE_PUBLISHABLE_KEY: publishableKey } = this.config
    return {
      ...{ subscriptionId: row.id, interval: row.interval, clientSecret, providerUrl, publishableKey },
      status: row.status === 'past_due' ? 'past_due' : 'incomplete',
      amount: formatAmount(invoice.amountMinor, invoice.currency),
      currency: invoice.currency,
    }
  }

  private async change(id: string, providerSubscriptionId: string, cancels: boolean): Promise<void> {
    if (await this.provider.setCancelAtPeriodEnd(providerSubscriptionId, cancels)) return
    await this.progress.ask(id)
    throw new DomainError('CONFLICT')
  }

  private async askIfDue(row: SubscriptionEntity): Promise<SubscriptionEntity> {
    const now = await databaseTime(this.dataSource)
    const isUnsettled =
      UNSETTLED.some(each => each === row.status) || (row.periodEndsAt !== null && row.periodEndsAt < now)
    const isRecent = row.askedAt !== null && now.getTime() - row.askedAt.getTime() < ASK_AGAIN_AFTER_MS
    if (!row.providerSubscriptionId || row.status === 'ended' || !isUnsettled || isRecent) return row
    const asked = this.progress.ask(row.id).catch((error: unknown) => {
      this.log.warn({ err: error, subscriptionId: row.id }, 'the provider gave no answer about a subscription')
      return row
    })
    // A late answer is recorded, and the user's next look finds it.
    return Promise.race([asked, sleep(ANSWER_WITHIN_MS, row, { ref: false })])
  }

  private async viewOf(row: SubscriptionEntity | null): Promise<z.input<typeof Subscription>> {
    if (!row)
      return {
        ...{ plan: 'standard', status: 'none', interval: null, amount: null, currency: CURRENCY },
        ...{ periodEndsAt: null, cancelsAtPeriodEnd: false, premiumUntil: null, cardLabel: null },
      }
    const { DAY_SECONDS: daySeconds } = this.config
    return {
      plan: planOf(row, await databaseTime(this.dataSource), daySeconds),
      status: row.status === 'creating' ? 'incomplete' : row.status,
      interval: row.interval,
      amount: formatAmount(row.amountMinor, row.currency),
      currency: row.currency,
      periodEndsAt: row.periodEndsAt?.toISOString() ?? null,
      cancelsAtPeriodEnd: row.cancelsAtPeriodEnd,
      premiumUntil: premiumUntil(row, daySeconds)?.toISOString() ?? null,
      cardLabel: row.cardLabel,
    }
  }

  private async getRunning(userId: string): Promise<SubscriptionEntity> {
    const row = await this.rows.findOneBy({ userId, status: In(['active', 'past_due']) })
    if (!row) throw new DomainError('SUBSCRIPTION_NOT_FOUND')
    return row
  }

  private findOpen(userId: string): Promise<SubscriptionEntity | null> {
    return this.rows.findOneBy({ userId, status: Not('ended') })
  }

  /** The one that has not ended, otherwise the latest. */
  private async findLatest(userId: string): Promise<SubscriptionEntity | null> {
    return (await this.findOpen(userId)) ?? this.rows.findOne({ where: { userId }, order: { id: 'DESC' } })
  }

  private get rows() {
    return this.dataSource.getRepository(SubscriptionEntity)
  }
}
