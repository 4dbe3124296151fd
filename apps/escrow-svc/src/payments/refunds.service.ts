import { UUID_PATTERN } from '@holdfast/kernel/ids'
import { REFUND_STATUSES, type RefundStatus } from '@holdfast/kernel/payments'
import { dueWithin } from '@holdfast/service-kit/database/database-time'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type { Deadline } from '@holdfast/timers/deadline'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import {
  type JournalEntry,
  refundConfirmed,
  refundReturned,
  strayRefundConfirmed,
  strayRefundReturned,
} from '../ledger/domain/journal.js'
import { postEntry } from '../ledger/post-entry.js'
import { PaymentEntity, RefundEntity } from './payment.entity.js'
import type { RefundEvent, SentRefundStatus } from './provider-events.js'
import { StripeProvider } from './stripe.provider.js'

const FIRST_RETRY_MS = 5_000
const MAX_RETRY_MS = 3_600_000

/**
 * Sends refunds. A refund's row is committed together with the decision. Afterwards the provider is called until it accepts
 * the refund, with the row's id as the idempotency key. What the provider confirms is posted once.
 */
@Injectable()
export class RefundsService {
  private readonly log = loggerOf('refunds')

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly provider: StripeProvider,
    private readonly clock: Clock,
  ) {}

  /** The refunds that are to be sent within a time from now. The earliest due time comes first. */
  async due(aheadMs: number, limit: number): Promise<Deadline[]> {
    const rows = await this.refunds.find({
      where: { dueAt: dueWithin(aheadMs), status: 'due' },
      order: { dueAt: 'ASC' },
      take: limit,
    })
    return rows.map(row => ({ id: row.id, dueAt: row.dueAt as Date }))
  }

  /** Sends one refund to the provider. After a fault it is due again later, with growing pauses. */
  async send(id: string): Promise<void> {
    const refund = await this.refunds.findOneBy({ id, status: 'due', dueAt: dueWithin(0) })
    if (!refund) return
    const { intentId } = await this.dataSource.getRepository(PaymentEntity).findOneByOrFail({ id: refund.paymentId })
    if (!intentId) throw new Error(`the payment of refund ${id} has no intent`)
    try {
      const sent = await this.provider.refund({ id, intentId, amountMinor: refund.amountMinor })
      await this.advance(id, sent.providerRefundId, sent.status)
    } catch (error) {
      await this.postpone(refund, error)
    }
  }

  /** Handles the provider's event about a refund of ours. @returns false when the refund is not ours */
  async record({ refundId, providerRefundId, status }: RefundEvent): Promise<boolean> {
    if (refundId === null || !UUID_PATTERN.test(refundId)) return false
    if (!(await this.refunds.existsBy({ id: refundId }))) return false
    await this.advance(refundId, providerRefundId, status)
    return true
  }

  /**
   * Takes a refund that an operator made at the provider for our own one, which has not reached the provider. Ours is then
   * not sent any more.
   */
  adopt(id: string, providerRefundId: string, status: SentRefundStatus): Promise<void> {
    return this.advance(id, providerRefundId, status)
  }

  /**
   * Moves a refund on to a later status and posts the entry of that step. Both are one dbTx, so the entry is posted once. A
   * status that the refund has passed already changes nothing: the provider's events come in any order.
   */
  private async advance(id: string, providerRefundId: string, status: SentRefundStatus): Promise<void> {
    const now = this.clock.now()
    await this.dataSource.transaction(async manager => {
      const refund = await manager.findOne(RefundEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })
      if (!refund || !isLater(status, refund.status)) return
      if (status === 'failed')
        this.log.error({ refundId: id, was: refund.status }, 'a refund did not reach the buyer: an operator must act')
      await manager.update(RefundEntity, { id }, { status, providerRefundId, dueAt: null, updatedAt: now })
      const { stray } = await manager.findOneByOrFail(PaymentEntity, { id: refund.paymentId })
      const entry = entryFor(refund, stray, status)
      if (entry) await postEntry(manager, refund.transactionId, refund.currency, entry, now)
    })
  }

  /** Makes a refund due again after a pause, which doubles with each attempt. */
  private async postpone(refund: RefundEntity, error: unknown): Promise<void> {
    const now = this.clock.now()
    const pauseMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(refund.attempts, 20), MAX_RETRY_MS)
    this.log.error(
      { err: error, refundId: refund.id, attempts: refund.attempts + 1 },
      'a refund could not be sent and is tried again',
    )
    await this.refunds.update(
      { id: refund.id, status: 'due' },
      {
        attempts: refund.attempts + 1,
        lastError: error instanceof Error ? error.message : String(error),
        dueAt: new Date(now.getTime() + pauseMs),
        updatedAt: now,
      },
    )
  }

  private get refunds() {
    return this.dataSource.getRepository(RefundEntity)
  }
}

/** `REFUND_STATUSES` are in the order in which a refund takes them. */
export const isLater = (status: RefundStatus, than: RefundStatus) =>
  REFUND_STATUSES.indexOf(status) > REFUND_STATUSES.indexOf(than)

/** The entry that a refund posts when it moves on to `status`; null when no money moves. */
function entryFor(refund: RefundEntity, stray: boolean, status: SentRefundStatus): JournalEntry | null {
  const { transactionId, paymentId, amountMinor } = refund
  if (status === 'confirmed')
    return stray ? strayRefundConfirmed(paymentId, amountMinor) : refundConfirmed(transactionId, amountMinor)
  if (status === 'failed' && refund.status === 'confirmed')
    return stray ? strayRefundReturned(paymentId, amountMinor) : refundReturned(transactionId, amountMinor)
  return null
}
