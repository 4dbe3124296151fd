import { UUID_PATTERN } from '@holdfast/kernel/ids'
import { REFUND_STATUSES, type RefundStatus } from '@holdfast/kernel/payments'
import { databaseTime, fromNow } from '@holdfast/service-kit/database/database-time'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, In } from 'typeorm'
import type { EscrowConfig } from '../config.js'
import { DealsRepository } from '../deals/deals.repository.js'
import { BY_PROVIDER } from '../deals/domain/deal.js'
import { refundFailed } from '../deals/domain/provider-refunds.js'
import {
  type JournalEntry,
  refundConfirmed,
  refundReturned,
  strayRefundConfirmed,
  strayRefundReturned,
} from '../ledger/domain/journal.js'
import { postEntry } from '../ledger/post-entry.js'
import { PaymentEntity, RefundEntity } from './payment.entity.js'
import type { RefundEvent } from './provider-events.js'
import type { SentRefundStatus } from './provider-objects.js'
import { deductPaidOtherwise, lockDealOf, oweAgain, owedOf } from './refunds-paid-otherwise.js'

/**
 * A refund that failed because our balance at the provider was too low is sent again by itself, after a day and so many times. Money
 * of other payments arrives there every day. Other failures, such as a closed card, need an operator.
 */
const SENT_AGAIN_FOR = 'insufficient_funds'
const SENT_AGAIN_AFTER_DAYS = 1
const MAX_SENT_AGAIN = 5
/** The provider is asked this often about a refund that is not final. */
const ASK_AFTER_DAYS = 1 / 24

/** Records what the provider says about our refunds, and posts it once. */
@Injectable()
export class RefundProgressService {
  private readonly log = loggerOf('refunds')

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly deals: DealsRepository,
    @Inject(CONFIG) private readonly config: EscrowConfig,
  ) {}

  /**
   * Handles the provider's event about a refund of ours. Our id in its metadata is not enough: the payment, the amount, the
   * currency and the provider's id must be those of our refund, too.
   *
   * @returns false when the event is about another refund
   */
  async record(event: RefundEvent): Promise<boolean> {
    const { refundId, intentId, customerId, providerRefundId, status } = event
    if (refundId === null || !UUID_PATTERN.test(refundId)) return false
    const payment = intentId !== null ? { intentId } : customerId !== null ? { customerId, unapplied: true } : null
    if (payment === null) return false
    const refund = await this.refunds.findOneBy({ id: refundId })
    if (!refund || !isAbout(refund, event)) return false
    if (!(await this.dataSource.getRepository(PaymentEntity).existsBy({ id: refund.paymentId, ...payment })))
      return false
    await this.advance(refundId, providerRefundId, status, event)
    return true
  }

  /**
   * Counts a refund that an operator made at the provider as our own one, which was not sent or has failed. Ours is then not
   * sent any more.
   */
  adopt(
    id: string,
    providerRefundId: string,
    status: SentRefundStatus,
    failureReason: string | null = null,
  ): Promise<void> {
    return this.advance(id, providerRefundId, status, { inPlaceOfFailed: true, failureReason })
  }

  /**
   * Moves a refund on to a later status and posts the entry of that step. Both are one dbTx, so the entry is posted once. A
   * status that the refund has passed already changes nothing: the provider's events come in any order.
   *
   * @throws Error when the provider has sent less than is owed. An operator must find out what became of the rest
   */
  async advance(
    id: string,
    providerRefundId: string,
    status: SentRefundStatus,
    { inPlaceOfFailed = false, failureReason = null, amountMinor }: Partial<Advance> = {},
  ): Promise<void> {
    if (status === 'failed') await this.announceFailure(id, providerRefundId)
    await this.dataSource.transaction(async manager => {
      const found = await manager.findOne(RefundEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })
      const now = await databaseTime(manager)
      // A late message about an attempt that has failed says nothing about the present one.
      if (!found || found.failedProviderIds.includes(providerRefundId)) return
      const refund = { ...found, amountMinor: amountMinor ?? found.amountMinor }
      const replaces = inPlaceOfFailed && refund.status === 'failed' && refund.providerRefundId !== providerRefundId
      // It was taken for unpaid. A late message about the attempt that had failed before does not say otherwise.
      const isNew = refund.providerRefundId !== providerRefundId
      const wasPaidOtherwise = refund.status === 'void' && status !== 'failed' && isNew
      if (!replaces && !wasPaidOtherwise && !isLater(status, refund.status)) return
      // What was taken off in the meantime has reached the buyer all the same.
      await oweAgain(
        manager,
        refund,
        wasPaidOtherwise ? refund.amountMinor : refund.amountMinor - found.amountMinor,
        now,
      )
      const dueAt = this.dueAfter(status, refund, failureReason)
      if (status === 'failed') this.logFailure(refund, dueAt !== null)
      await manager.update(
        RefundEntity,
        { id },
        {
          status,
          providerRefundId,
          amountMinor: refund.amountMinor,
          ...(replaces &&
            refund.providerRefundId && {
              failedProviderIds: [...refund.failedProviderIds, refund.providerRefundId],
            }),
          dueAt,
          ...(status === 'failed' && { lastError: failureReason }),
          updatedAt: now,
        },
      )
      const payment = await manager.findOneByOrFail(PaymentEntity, { id: refund.paymentId })
      const entry = entryFor(refund, payment, status)
      if (entry) await postEntry(manager, refund.transactionId, refund.currency, entry, now)
    })
    if (status === 'failed') await this.deductPaidOtherwise(id)
  }

  /**
   * Publishes once that a refund has failed, with what we still owe of it. When the buyer has got all of it in another way, the
   * parties are not notified: nothing changes for them. The refund's row changes afterwards, so a crash in between repeats this.
   */
  private async announceFailure(id: string, providerRefundId: string): Promise<void> {
    const refund = await this.refunds.findOneByOrFail({ id })
    if (refund.status === 'failed' || refund.failedProviderIds.includes(providerRefundId)) return
    const { intentId, stray } = await this.dataSource.getRepository(PaymentEntity).findOneByOrFail({
      id: refund.paymentId,
    })
    if (!intentId || stray) return
    const owedMinor = await owedOf(this.dataSource.manager, refund)
    if (owedMinor === 0n) return
    const webhook = { id: `failed_${providerRefundId}`, kind: 'refund.failed', chargeId: null }
    await this.deals.changeByIntent(intentId, webhook, BY_PROVIDER, ({ deal }) => refundFailed(deal, owedMinor))
  }

  /** The provider's ids of a payment's refunds that have not been confirmed, earlier attempts included. */
  async unpaidIdsOf(paymentId: string): Promise<string[]> {
    const refunds = await this.refunds.findBy({ paymentId })
    return refunds.flatMap(({ status, providerRefundId, failedProviderIds }) =>
      providerRefundId === null || status === 'confirmed'
        ? failedProviderIds
        : [...failedProviderIds, providerRefundId],
    )
  }

  /** Reduces the unpaid refunds of a deal by what the buyer has got in another way. */
  async deductFromUnpaid(transactionId: number): Promise<void> {
    const unpaid = await this.refunds.findBy({ transactionId, status: In(['due', 'failed']) })
    for (const { id } of unpaid) await this.deductPaidOtherwise(id)
  }

  /** Reduces an unpaid refund by what the buyer has got in another way. Returns what is left of it; null when nothing is. */
  deductPaidOtherwise(id: string): Promise<RefundEntity | null> {
    return this.dataSource.transaction(async manager => {
      await lockDealOf(manager, id)
      const refund = await manager.findOne(RefundEntity, {
        where: { id, status: In(['due', 'failed']) },
        lock: { mode: 'pessimistic_write' },
      })
      return refund && deductPaidOtherwise(manager, refund, await databaseTime(manager))
    })
  }

  /** Has the provider asked about a refund again after a pause, unless it is final. */
  async askAgainLater(id: string): Promise<void> {
    await this.refunds.update({ id, status: 'sent' }, { dueAt: this.askAgainAt() })
  }

  private logFailure({ id: refundId, status: was }: RefundEntity, isSentAgain: boolean): void {
    if (isSentAgain)
      this.log.warn({ refundId, was, afterDays: SENT_AGAIN_AFTER_DAYS }, 'a refund failed and is sent again')
    else this.log.error({ refundId, was }, 'a refund did not reach the buyer: an operator must act')
  }

  /** When something is to be done about a refund next: the provider is asked, or it is sent again. */
  private dueAfter(status: SentRefundStatus, { failedProviderIds }: RefundEntity, failureReason: string | null) {
    if (status === 'sent') return this.askAgainAt()
    const isSentAgain =
      status === 'failed' && failureReason === SENT_AGAIN_FOR && failedProviderIds.length < MAX_SENT_AGAIN
    return isSentAgain ? fromNow(SENT_AGAIN_AFTER_DAYS * this.config.DAY_SECONDS * 1000) : null
  }

  private readonly askAgainAt = () => fromNow(ASK_AFTER_DAYS * this.config.DAY_SECONDS * 1000)

  private get refunds() {
    return this.dataSource.getRepository(RefundEntity)
  }
}

/** How a refund moves on. */
interface Advance {
  /** It counts although our own one has failed before. */
  readonly inPlaceOfFailed: boolean
  /** Why it failed, by the provider's name. */
  readonly failureReason: string | null
  /** What the provider sends, when that is known. */
  readonly amountMinor: bigint
}

/** `REFUND_STATUSES` are in the order in which a refund takes them. */
export const isLater = (status: RefundStatus, than: RefundStatus) =>
  REFUND_STATUSES.indexOf(status) > REFUND_STATUSES.indexOf(than)

/**
 * Whether an event that names our refund has its currency, its amount, and no other id at the provider. The amount does not count
 * for an attempt that has failed: it may be lower since (`deductPaidOtherwise`), and no event changes such a refund.
 */
function isAbout(refund: RefundEntity, { providerRefundId, amountMinor, currency }: RefundEvent): boolean {
  const { providerRefundId: current, failedProviderIds } = refund
  if (currency !== refund.currency) return false
  const hasFailed = (refund.status === 'failed' || refund.status === 'void') && current === providerRefundId
  if (hasFailed || failedProviderIds.includes(providerRefundId)) return true
  return (current === null || current === providerRefundId) && amountMinor === refund.amountMinor
}

/** The entry that a refund posts when it moves on to `status`; null when no money moves. */
function entryFor(
  refund: RefundEntity,
  { stray, method }: Pick<PaymentEntity, 'stray' | 'method'>,
  status: SentRefundStatus,
): JournalEntry | null {
  const { transactionId, paymentId, amountMinor } = refund
  const isStray = stray && refund.origin === 'us'
  if (status === 'confirmed')
    return isStray
      ? strayRefundConfirmed(paymentId, amountMinor, method)
      : refundConfirmed(transactionId, amountMinor, method)
  if (status === 'failed' && refund.status === 'confirmed')
    return isStray
      ? strayRefundReturned(paymentId, amountMinor, method)
      : refundReturned(transactionId, amountMinor, method)
  return null
}
