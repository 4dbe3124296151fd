import { planChanged, subscriptionCancelled, subscriptionPaymentFailed } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { formatAmount } from '@holdfast/kernel/money'
import { databaseTime, dueWithin, fromNow } from '@holdfast/service-kit/database/database-time'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type { Deadline } from '@holdfast/timers/deadline'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager, MoreThan } from 'typeorm'
import type { EscrowConfig } from '../config.js'
import { subscriptionPaid } from '../ledger/domain/journal.js'
import { postEntry } from '../ledger/post-entry.js'
import type { ProviderInvoice, ProviderSubscription } from './billing-objects.js'
import { CustomersService } from './customers.service.js'
import { nextLook, RETRY_MS } from './domain/next-look.js'
import { moneyBackOf, pastDueFrom, planOf, premiumEnds, reasonOf, staysWithPayer } from './domain/plan-of.js'
import { InvoiceEntity, lockSubscription, SubscriptionEntity } from './subscription.entity.js'
import { type ProviderInvoices, SubscriptionsProvider } from './subscriptions.provider.js'

/**
 * Records the state of subscriptions at the provider, and what follows for the plans of their users and for the ledger. Events come
 * twice, late, never and in any order, so their content is not used: after each of them the provider is asked.
 */
@Injectable()
export class SubscriptionProgressService {
  private readonly log = loggerOf('subscriptions')

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly provider: SubscriptionsProvider,
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

  /** The subscriptions that the timer checks within a time from now, the earliest first. */
  async due(aheadMs: number, limit: number): Promise<Deadline[]> {
    const rows = await this.rows.find({
      where: { dueAt: dueWithin(aheadMs) },
      order: { dueAt: 'ASC' },
      take: limit,
    })
    return rows.map(row => ({ id: row.id, dueAt: row.dueAt as Date }))
  }

  /**
   * Ends a subscription that is to end, then asks for its state. When the provider does not answer, Premium still ends in time, by the
   * last recorded state.
   *
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`: then it is tried again in a minute
   */
  async fire(id: string): Promise<void> {
    const { affected } = await this.rows.update({ id, dueAt: dueWithin(0) }, { dueAt: fromNow(RETRY_MS) })
    if (affected !== 1) return
    try {
      await this.moveOn(await this.rows.findOneByOrFail({ id }))
    } catch (error) {
      await this.dataSource.transaction(async manager => {
        const row = await lockSubscription(manager, id)
        await this.publishPlan(manager, row, row, await databaseTime(manager))
      })
      throw error
    }
  }

  /**
   * Asks the provider and records its answer.
   *
   * @param unlessWithinMs nothing is asked when the provider was asked within this time; null asks in any case
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  async ask(id: string, unlessWithinMs: number | null = null): Promise<SubscriptionEntity> {
    const [rows]: [{ asks: number; provider_subscription_id: string }[]] = await this.dataSource.query(ASK, [
      id,
      unlessWithinMs,
    ])
    const asked = rows[0]
    if (asked) {
      const found = await this.provider.getSubscription(asked.provider_subscription_id)
      const invoices = await this.provider.listInvoices(asked.provider_subscription_id)
      await this.dataSource.transaction(manager => this.record(manager, id, asked.asks, found, invoices))
    }
    return this.rows.findOneByOrFail({ id })
  }

  private async moveOn(row: SubscriptionEntity): Promise<void> {
    const { id, status, endsAtOnce, cancelReason } = row
    const providerId = row.providerSubscriptionId ?? (await this.findLost(row))
    if (providerId === null) {
      // The provider never created it, so it has no invoice that could be paid.
      await this.rows.update({ id, status: 'creating' }, { status: 'ended', dueAt: null })
      return
    }
    if (status === 'ended') await this.provider.voidOpen(providerId)
    else if (endsAtOnce) await this.end(id, providerId)
    else if (cancelReason) await this.cancel(row, providerId)
    await this.ask(id)
  }

  /** Ends a subscription at once, unless a payment is under way: the timer tries again when the invoice is paid or can be voided. */
  private async end(id: string, providerId: string): Promise<void> {
    const kept = await this.provider.voidOpen(providerId)
    const paid = kept.filter(({ status }) => status === 'paid')
    for (const invoice of paid) this.reportUselessPayment(id, invoice.id)
    if (paid.length === kept.length) await this.provider.endSubscription(providerId)
  }

  /** Cancels a subscription as its user would: it ends with the period that is paid, or at once when its period is not paid. */
  private async cancel({ status, cancelsAtPeriodEnd }: SubscriptionEntity, providerId: string): Promise<void> {
    if (!cancelsAtPeriodEnd && status !== 'incomplete' && !(await this.provider.setCancelAtPeriodEnd(providerId, true)))
      return
    await this.provider.cancelUnpaid(providerId)
  }

  /** Looks for a subscription that was created at the provider, and whose id we did not record because the answer was lost. */
  private async findLost({ id, userId }: SubscriptionEntity): Promise<string | null> {
    const customerId = await this.customers.findAlsoBeingDeleted(userId)
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
    { invoices, hasDraft }: ProviderInvoices,
  ): Promise<void> {
    const row = await lockSubscription(manager, id)
    if (row.recordedAsk >= nth) return
    const { DAY_SECONDS: daySeconds } = this.config
    const now = await databaseTime(manager)
    for (const invoice of invoices) await this.recordInvoice(manager, row, invoice, found.endedAt, now)
    // A subscription that has ended stays ended, whatever the provider reports later.
    const status = row.status === 'ended' ? 'ended' : found.status
    const pastDueSince = status === 'past_due' ? pastDueFrom(row, now, daySeconds) : null
    const { periodEndsAt, cancelsAtPeriodEnd } = found
    // The name of the card may have been erased with the account, and pays nothing more.
    const cardLabel = row.endsAtOnce ? null : found.cardLabel
    const paid = await findLatestPaid(manager, id)
    const moneyBack = paid && moneyBackOf(paid)
    const after = { ...row, status, pastDueSince, periodEndsAt, moneyBack }
    const hasOpenInvoice = invoices.some(invoice => invoice.status === 'open')
    const isToCancel = row.cancelReason !== null && (status !== 'active' || !cancelsAtPeriodEnd)
    await manager.update(
      SubscriptionEntity,
      { id },
      {
        status,
        pastDueSince,
        periodEndsAt,
        moneyBack,
        cancelsAtPeriodEnd,
        cardLabel,
        recordedAsk: nth,
        updatedAt: now,
        dueAt: nextLook({ ...after, isToCancel, hasOpenInvoice, hasDraft }, now, daySeconds),
      },
    )
    await this.publishPlan(manager, row, after, now)
    if (cancelsAtPeriodEnd && !row.cancelsAtPeriodEnd) await this.publishCancelled(manager, after, now)
    const isNews = status === 'past_due' && row.status === 'active'
    if (isNews && planOf(after, now, daySeconds) === 'premium') await this.publishFailure(manager, after, now)
  }

  /**
   * Stores an invoice. When it becomes paid, it is posted to the ledger, unless an operator has marked it as paid at the provider: then no
   * money came.
   */
  private async recordInvoice(
    manager: EntityManager,
    { id: subscriptionId, userId }: SubscriptionEntity,
    invoice: ProviderInvoice,
    endedAt: Date | null,
    now: Date,
  ): Promise<void> {
    const known = await manager.findOneBy(InvoiceEntity, { id: invoice.id })
    if (known?.status === 'paid') return
    const { id, status, amountMinor, intentId, paidAt } = invoice
    const isPaid = status === 'paid' && amountMinor > 0n
    const isBooked = isPaid && intentId !== null
    const row = { ...invoice, subscriptionId, userId, feeDueAt: isBooked ? now : null }
    if (known) await manager.update(InvoiceEntity, { id }, row)
    else await manager.insert(InvoiceEntity, row)
    if (isBooked) await postEntry(manager, null, invoice.currency, subscriptionPaid(amountMinor), now)
    else if (isPaid) this.log.warn({ invoiceId: id }, 'an invoice was paid without the provider: it is not booked')
    if (isPaid && paidAt && endedAt && paidAt > endedAt) this.reportUselessPayment(subscriptionId, id)
  }

  /** Tells an operator of a payment that must be refunded. */
  reportUselessPayment(subscriptionId: string, invoiceId: string): void {
    this.log.error({ subscriptionId, invoiceId }, 'an invoice of Premium was paid that gives no Premium: refund it')
  }

  /**
   * Decides what follows from what went back of the invoices of a subscription, in the caller's dbTx that has locked and changed them. Nobody
   * has Premium while the payer has the money of the latest paid period back. When the payer keeps it, the subscription ends at once.
   *
   * @param isTaken whether a bank has just taken money back, of whatever period: then the card is not charged again
   */
  async applyReturns(manager: EntityManager, row: SubscriptionEntity, isTaken: boolean, now: Date): Promise<void> {
    const { id } = row
    const paid = await findLatestPaid(manager, id)
    const moneyBack = paid && moneyBackOf(paid)
    const cancelReason = row.cancelReason ?? (isTaken ? 'chargeback' : null)
    const endsAtOnce = row.endsAtOnce || (paid !== null && staysWithPayer(paid))
    const isDue = row.status !== 'ended' && (endsAtOnce || cancelReason !== row.cancelReason)
    const after = { ...row, moneyBack, cancelReason, endsAtOnce }
    await manager.update(
      SubscriptionEntity,
      { id },
      { moneyBack, cancelReason, endsAtOnce, updatedAt: now, ...(isDue && { dueAt: now }) },
    )
    await this.publishPlan(manager, row, after, now)
  }

  /** Publishes the user's plan when it differs from the plan that was published last. The row is locked. */
  private async publishPlan(
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

  /** Tells a user that we have cancelled their subscription. When Premium has ended with it, `publishPlan` has told them already. */
  private async publishCancelled(manager: EntityManager, row: SubscriptionEntity, now: Date): Promise<void> {
    const { userId, cancelReason, periodEndsAt } = row
    if (cancelReason === null || planOf(row, now, this.config.DAY_SECONDS) === 'standard') return
    const payload = { userId, reason: cancelReason, premiumUntil: periodEndsAt!.toISOString(), at: now.toISOString() }
    await appendToOutbox(manager, newEvent(subscriptionCancelled, userId, payload, now))
  }

  private async publishFailure(manager: EntityManager, row: SubscriptionEntity, now: Date): Promise<void> {
    const { userId, currency, amountMinor } = row
    const until = premiumEnds(row, this.config.DAY_SECONDS) as Date
    const amount = formatAmount(amountMinor, currency)
    const payload = { userId, amount, currency, premiumUntil: until.toISOString(), at: now.toISOString() }
    await appendToOutbox(manager, newEvent(subscriptionPaymentFailed, userId, payload, now))
  }

  private get rows() {
    return this.dataSource.getRepository(SubscriptionEntity)
  }
}

// The questions are counted, because an answer is dropped when the answer to a later question is recorded already. After the database's
// clock was set back, the last question can seem to lie in the future: it then counts as old.
const ASK = `UPDATE subscription SET asks = asks + 1, asked_at = clock_timestamp()
  WHERE id = $1 AND provider_subscription_id IS NOT NULL AND ($2::int IS NULL OR asked_at IS NULL
    OR asked_at NOT BETWEEN clock_timestamp() - $2 * interval '1 millisecond' AND clock_timestamp())
  RETURNING asks, provider_subscription_id`

/** The invoice of the latest period that was paid through the provider; null when none was. */
const findLatestPaid = (manager: EntityManager, subscriptionId: string): Promise<InvoiceEntity | null> =>
  manager.findOne(InvoiceEntity, {
    where: { subscriptionId, status: 'paid', amountMinor: MoreThan(0n) },
    order: { periodEndsAt: 'DESC', id: 'DESC' },
  })
