import { planChanged, subscriptionPaymentFailed } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { formatAmount } from '@holdfast/kernel/money'
import { databaseTime, dueWithin, fromNow } from '@holdfast/service-kit/database/database-time'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type { Deadline } from '@holdfast/timers/deadline'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'
import type { EscrowConfig } from '../config.js'
import { subscriptionPaid } from '../ledger/domain/journal.js'
import { postEntry } from '../ledger/post-entry.js'
import { BillingProvider } from './billing.provider.js'
import type { ProviderInvoice, ProviderSubscription } from './billing-objects.js'
import { CustomersService } from './customers.service.js'
import { planOf, premiumUntil, reasonOf, type Standing } from './domain/plan-of.js'
import { InvoiceEntity, SubscriptionEntity } from './subscription.entity.js'

/** Without an event, the provider is asked this long after the end of a period. */
const ASK_AFTER_PERIOD_DAYS = 1 / 12
/** How often the provider is asked about a subscription that is not paid yet. */
const ASK_UNSETTLED_DAYS = 1 / 24
/** When a question fails, it is asked again after this time. */
const RETRY_MS = 60_000

/**
 * Records where subscriptions are at the provider, with what that means for the plan of their users and for the ledger. The content of
 * an event does not count: events come twice, late, never and in any order, so the provider is asked.
 */
@Injectable()
export class SubscriptionProgressService {
  private readonly log = loggerOf('subscriptions')

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly provider: BillingProvider,
    private readonly customers: CustomersService,
    @Inject(CONFIG) private readonly config: EscrowConfig,
  ) {}

  /**
   * Asks the provider about a subscription after an event about it.
   *
   * @returns false when no user of ours has it
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`: then the provider sends the event again
   */
  async refresh(providerSubscriptionId: string): Promise<boolean> {
    const known = await this.rows.findOneBy({ providerSubscriptionId })
    if (known) await this.ask(known.id)
    return known !== null
  }

  /** The subscriptions at which the timer looks within a time from now, the earliest first. */
  async due(aheadMs: number, limit: number): Promise<Deadline[]> {
    const rows = await this.rows.find({
      where: { dueAt: dueWithin(aheadMs) },
      order: { dueAt: 'ASC' },
      take: limit,
    })
    return rows.map(row => ({ id: row.id, dueAt: row.dueAt as Date }))
  }

  /**
   * Ends Premium when no card has paid in time, which needs no answer of the provider. Then ends what is to end at once, and asks where
   * the subscription is.
   */
  async fire(id: string): Promise<void> {
    const due = await this.rows.findOneBy({ id, dueAt: dueWithin(0) })
    if (!due) return
    await this.rows.update({ id }, { dueAt: fromNow(RETRY_MS) })
    const { endsAtOnce } = await this.dataSource.transaction(async manager => {
      const row = await lock(manager, id)
      await this.tellPlan(manager, row, row, await databaseTime(manager))
      return row
    })
    const providerId = due.providerSubscriptionId ?? (await this.findLost(due))
    if (providerId === null) {
      // The provider never had it: nobody can pay it.
      await this.rows.update({ id, status: 'creating' }, { status: 'ended', dueAt: null })
      return
    }
    if (endsAtOnce) await this.provider.endSubscription(providerId)
    await this.ask(id)
  }

  /** Asks the provider and records its answer. @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE` */
  async ask(id: string): Promise<SubscriptionEntity> {
    const [rows]: [{ asks: number; provider_subscription_id: string }[]] = await this.dataSource.query(
      `UPDATE subscription SET asks = asks + 1, asked_at = clock_timestamp() WHERE id = $1 AND provider_subscription_id IS NOT NULL
       RETURNING asks, provider_subscription_id`,
      [id],
    )
    const asked = rows[0]
    if (!asked) return this.rows.findOneByOrFail({ id })
    const found = await this.provider.getSubscription(asked.provider_subscription_id)
    const invoices = await this.provider.listInvoices(asked.provider_subscription_id)
    await this.dataSource.transaction(manager => this.record(manager, id, asked.asks, found, invoices))
    return this.rows.findOneByOrFail({ id })
  }

  /** Looks for a subscription that was created at the provider, and whose id we did not record because the answer was lost. */
  private async findLost({ id, userId }: SubscriptionEntity): Promise<string | null> {
    const customerId = await this.customers.find(userId)
    const found = customerId && (await this.provider.findSubscription(customerId, id))
    if (found)
      await this.rows.update({ id, status: 'creating' }, { status: 'incomplete', providerSubscriptionId: found })
    return found
  }

  private async record(
    manager: EntityManager,
    id: string,
    nth: number,
    found: ProviderSubscription,
    invoices: readonly ProviderInvoice[],
  ): Promise<void> {
    const row = await lock(manager, id)
    if (row.recordedAsk >= nth) return
    const now = await databaseTime(manager)
    for (const invoice of invoices) await this.recordInvoice(manager, row, invoice, now)
    // What has ended stays so, whatever the provider says of it later.
    const status = row.status === 'ended' ? 'ended' : found.status
    const pastDueSince = status === 'past_due' ? (row.pastDueSince ?? now) : null
    const { periodEndsAt, cancelsAtPeriodEnd, cardLabel } = found
    const after = { ...row, status, pastDueSince }
    await manager.update(
      SubscriptionEntity,
      { id },
      {
        ...{ status, pastDueSince, periodEndsAt, cancelsAtPeriodEnd, cardLabel, recordedAsk: nth, updatedAt: now },
        dueAt: this.nextLook(after, periodEndsAt, now),
      },
    )
    await this.tellPlan(manager, row, after, now)
    if (status === 'past_due' && row.status === 'active') await this.tellFailure(manager, after, now)
  }

  /** Keeps an invoice. The first time that it is paid, the ledger gets it. */
  private async recordInvoice(
    manager: EntityManager,
    { id: subscriptionId, userId }: SubscriptionEntity,
    invoice: ProviderInvoice,
    now: Date,
  ): Promise<void> {
    const known = await manager.findOneBy(InvoiceEntity, { id: invoice.id })
    if (known?.status === 'paid') return
    const isPaid = invoice.status === 'paid' && invoice.amountMinor > 0n
    const row = { ...invoice, subscriptionId, userId, feeDueAt: isPaid ? now : null }
    if (known) await manager.update(InvoiceEntity, { id: invoice.id }, row)
    else await manager.insert(InvoiceEntity, row)
    if (isPaid) await postEntry(manager, null, invoice.currency, subscriptionPaid(invoice.amountMinor), now)
  }

  /** Tells other services the plan of the user when it is not the one that was told before. The row is locked. */
  private async tellPlan(
    manager: EntityManager,
    before: SubscriptionEntity,
    after: SubscriptionEntity,
    now: Date,
  ): Promise<void> {
    const plan = planOf(after, now, this.config.DAY_SECONDS)
    if (plan === before.plan) return
    const { id, userId } = after
    const reason = reasonOf(plan, before, after)
    await manager.update(SubscriptionEntity, { id }, { plan })
    const payload = { userId, plan, reason, at: now.toISOString() }
    await appendToOutbox(manager, newEvent(planChanged, userId, payload, now))
    this.log.info({ userId, plan, reason }, 'the plan of a user has changed')
  }

  private async tellFailure(manager: EntityManager, row: SubscriptionEntity, now: Date): Promise<void> {
    const { userId, currency, amountMinor } = row
    const until = premiumUntil(row, this.config.DAY_SECONDS) as Date
    const amount = formatAmount(amountMinor, currency)
    const payload = { userId, amount, currency, premiumUntil: until.toISOString(), at: now.toISOString() }
    await appendToOutbox(manager, newEvent(subscriptionPaymentFailed, userId, payload, now))
  }

  /** When the timer looks again: events may never come, and Premium ends in time also when the provider cannot be reached. */
  private nextLook(
    standing: Standing & Pick<SubscriptionEntity, 'endsAtOnce'>,
    periodEndsAt: Date,
    now: Date,
  ): Date | null {
    const after = (from: Date, days: number) => new Date(from.getTime() + days * this.config.DAY_SECONDS * 1000)
    const { status } = standing
    if (status === 'ended') return null
    // An order to end it at once stays, whatever is recorded before it was carried out.
    if (standing.endsAtOnce) return new Date(now.getTime() + RETRY_MS)
    const unsettled = after(now, ASK_UNSETTLED_DAYS)
    if (status === 'incomplete') return unsettled
    const until = premiumUntil(standing, this.config.DAY_SECONDS)
    if (until !== null) return until > now && until < after(now, 1) ? until : after(now, 1)
    const next = after(periodEndsAt, ASK_AFTER_PERIOD_DAYS)
    return next > now ? next : unsettled
  }

  private get rows() {
    return this.dataSource.getRepository(SubscriptionEntity)
  }
}

const lock = (manager: EntityManager, id: string): Promise<SubscriptionEntity> =>
  manager.findOneOrFail(SubscriptionEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })
