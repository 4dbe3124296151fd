import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import type { RefundOrigin } from '@holdfast/kernel/payments'
import { dueWithin } from '@holdfast/service-kit/database/database-time'
import { isUniqueViolation } from '@holdfast/service-kit/database/database-trouble'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { counter } from '@holdfast/service-kit/telemetry/metrics'
import type { Deadline } from '@holdfast/timers/deadline'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, In } from 'typeorm'
import type { EscrowConfig } from '../config.js'
import type { DealWithRefund } from '../deals/deal-by-payment.js'
import { DealDeadlines } from '../deals/deal-deadlines.js'
import { DealsRepository, type Outcome } from '../deals/deals.repository.js'
import { BY_PROVIDER, type Change, type Deal, type RefundCommand, stateOf } from '../deals/domain/deal.js'
import { decide } from '../deals/domain/decisions.js'
import { bookProviderRefund, stopForRefund } from '../deals/domain/provider-refunds.js'
import { isAllowed } from '../deals/domain/transitions.js'
import { PaymentEntity, RefundEntity } from './payment.entity.js'
import type { RefundEvent } from './provider-events.js'
import { isLater, RefundProgressService } from './refund-progress.service.js'
import { StripeProvider } from './stripe.provider.js'

const recorded = counter(
  'escrow_foreign_refunds_total',
  'Steps of refunds that were made at the provider, not by us, and were recorded',
  ['status'],
)

const MADE_BY_HAND = { status: 'sent', origin: In<RefundOrigin>(['provider', 'provider_late']) } as const

/**
 * Records refunds that an operator made at the provider by hand. The money that has left is booked, and a deal that held it is
 * stopped or ends, in the same write. Each step has its effect once.
 */
@Injectable()
export class ProviderRefundsService {
  private readonly log = loggerOf('refunds')

  constructor(
    private readonly deals: DealsRepository,
    private readonly refunds: RefundProgressService,
    private readonly provider: StripeProvider,
    private readonly deadlines: DealDeadlines,
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: EscrowConfig,
  ) {}

  /** The refunds made by hand about which the provider is to be asked within a time from now, the earliest first. */
  async due(aheadMs: number, limit: number): Promise<Deadline[]> {
    const rows = await this.rows.find({
      where: { dueAt: dueWithin(aheadMs), ...MADE_BY_HAND },
      order: { dueAt: 'ASC' },
      take: limit,
    })
    return rows.map(row => ({ id: row.id, dueAt: row.dueAt as Date }))
  }

  /** Asks the provider about a refund made by hand that is not final, because no event may come. */
  async ask(id: string): Promise<void> {
    const refund = await this.rows.findOneBy({ id, dueAt: dueWithin(0), ...MADE_BY_HAND })
    if (!refund?.providerRefundId) return
    const { providerRefundId, paymentId, amountMinor, currency } = refund
    await this.refunds.askAgainLater(id)
    const { status, failureReason } = await this.provider.getRefund(providerRefundId)
    const { intentId } = await this.dataSource.getRepository(PaymentEntity).findOneByOrFail({ id: paymentId })
    await this.record({
      ...{ kind: 'refund', type: 'refund.asked', id: `asked_${providerRefundId}_${status}` },
      ...{ providerRefundId, refundId: null, intentId, customerId: null, status, failureReason, amountMinor, currency },
    })
  }

  /**
   * @returns false when nothing can be booked: the payment is not ours, or the event does not fit what is stored of the payment
   * or the refund. A deal whose payment was refunded in another currency is stopped
   * @throws DomainError `UNAVAILABLE` while the payment is not booked yet: then the provider sends the event again
   */
  async record(event: RefundEvent): Promise<boolean> {
    const { intentId, providerRefundId, status } = event
    if (intentId === null) return false
    const read = { intentId, providerRefundId }
    const webhook = { id: event.id, kind: event.type, chargeId: null }
    let ours: string | null = null
    let isFitting = true
    const { known, outcome } = await this.deals.changeByRefund(read, webhook, BY_PROVIDER, (found, { now }) => {
      if (found.isFailedAttempt) return null
      isFitting = fits(found, event)
      ours = isFitting ? ownOf(found, event) : null
      return isFitting && !ours ? this.decide(found, event, now) : null
    })
    // Another message about this refund was recorded meanwhile. What is stored now decides.
    if (ours && !(await this.adopt(ours, event))) return this.record(event)
    if (outcome) this.notice(event, outcome)
    // A refund of ours that is due does this once more before it is sent. After a failure `decide` has done it.
    if (outcome && status === 'confirmed') await this.refunds.deductFromUnpaid(outcome.deal.id)
    if (!isFitting) await this.stop(event, read)
    return known && isFitting
  }

  /** Counts a refund as our own one. False when another row has the refund: a message that came at the same time made it. */
  private async adopt(ours: string, { providerRefundId, status, failureReason }: RefundEvent): Promise<boolean> {
    try {
      await this.refunds.adopt(ours, providerRefundId, status, failureReason)
      return true
    } catch (error) {
      if (isUniqueViolation(error)) return false
      throw error
    }
  }

  /** Stops a deal whose payment was refunded in another currency. Its money may be gone, and no amount of it is known. */
  private async stop(event: RefundEvent, read: { intentId: string; providerRefundId: string }): Promise<void> {
    // The event itself is kept as one that was not handled, so the stop has an id of its own.
    const webhook = { id: `stop_${event.id}`, kind: event.type, chargeId: null }
    const { outcome } = await this.deals.changeByRefund(read, webhook, BY_PROVIDER, ({ deal, payment }, { now }) => {
      const isRefunded = event.currency !== payment.currency && event.status !== 'failed'
      return isRefunded && isHeld(deal, payment.id) ? stopForRefund(deal, now) : null
    })
    if (outcome) this.notice(event, outcome)
  }

  private notice({ id: eventId, providerRefundId, status }: RefundEvent, outcome: Outcome): void {
    this.deadlines.notice(outcome)
    recorded.inc({ status })
    this.log.error(
      { eventId, providerRefundId, status, transactionId: outcome.deal.id, dealStatus: outcome.change.status },
      'a refund was made at the provider and not by us: an operator must look at its deal',
    )
  }

  private decide({ deal, payment, before, besides }: DealWithRefund, event: RefundEvent, now: Date): Change | null {
    if (payment.status !== 'succeeded') throw new DomainError('UNAVAILABLE')
    if (before && !isLater(event.status, before.status)) return null
    const { providerRefundId, amountMinor, status } = event
    const refund = { id: before?.id ?? newId(), providerRefundId, paymentId: payment.id, amountMinor, status }
    const command: RefundCommand = { type: 'recordRefund', refund, before, method: payment.method }
    if (!isHeld(deal, payment.id)) return bookProviderRefund(deal, command, besides)
    return decide(deal, command, { role: 'provider', now, daySeconds: this.config.DAY_SECONDS, refundId: newId() })
  }

  private get rows() {
    return this.dataSource.getRepository(RefundEntity)
  }
}

/**
 * Whether an event has the currency of its payment, and the payment and amount that are stored of its refund. The amount of a
 * failed refund may be lower than at the provider (`deductPaidOtherwise`), and no event changes such a refund.
 */
function fits({ payment, before }: DealWithRefund, { amountMinor, currency }: RefundEvent): boolean {
  if (currency !== payment.currency) return false
  if (before === null) return true
  const hasFailed = before.status === 'failed' || before.status === 'void'
  return before.paymentId === payment.id && (before.amountMinor === amountMinor || hasFailed)
}

/** Whether a deal holds the money of a payment. */
const isHeld = (deal: Deal, paymentId: string): boolean =>
  paymentId === deal.settledPaymentId && isAllowed('recordRefund', 'provider', stateOf(deal))

/**
 * The id of our own refund when the refund made by hand counts as it; null when it does not. It counts when an earlier message
 * decided so, or when ours is for the same amount and was not sent yet or has failed. One that was made by hand and that we have sent again
 * is ours, too: `RefundProgressService` alone changes it.
 */
function ownOf({ before, own }: DealWithRefund, { amountMinor, status }: RefundEvent): string | null {
  if (before) return before.origin === 'us' || before.isSentAgain ? before.id : null
  const isUnpaid = own?.status === 'due' || own?.status === 'failed'
  return own && isUnpaid && own.amountMinor === amountMinor && status !== 'failed' ? own.id : null
}
