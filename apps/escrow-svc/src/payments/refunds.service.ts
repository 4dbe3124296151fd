import { UUID_PATTERN } from '@holdfast/kernel/ids'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { counter } from '@holdfast/service-kit/telemetry/metrics'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, In, IsNull, LessThanOrEqual, Not } from 'typeorm'
import {
  type JournalEntry,
  refundConfirmed,
  refundReturned,
  strayRefundConfirmed,
  strayRefundReturned,
} from '../ledger/domain/journal.js'
import { postEntry } from '../ledger/post-entry.js'
import { PaymentEntity, RefundEntity } from './payment.entity.js'
import type { RefundEvent } from './provider-words.js'
import { StripeProvider } from './stripe.provider.js'

const foreignRefunds = counter('escrow_foreign_refunds_total', 'Events of refunds made at the provider, not here', [])

const FIRST_RETRY_MS = 5_000
const MAX_RETRY_MS = 3_600_000

/**
 * A refund only ever goes this way, whatever order the provider's words come in. Confirmed is not the end: a bank may
 * send a refund back days after the provider called it done.
 */
const COURSE = { due: 0, sent: 1, confirmed: 2, failed: 3 } as const satisfies Record<RefundEntity['status'], number>

/**
 * Sends money back. The refund's row was committed with the decision; here the provider is asked by the row's id, as
 * often as it takes, and what it confirms is posted once.
 */
@Injectable()
export class RefundsService {
  private readonly log = loggerOf('refunds')

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly provider: StripeProvider,
    private readonly clock: Clock,
  ) {}

  /** Refunds that are to be sent before a time, the longest due first. */
  async due(before: Date, limit: number): Promise<{ id: string; dueAt: Date }[]> {
    const rows = await this.refunds.find({
      where: { dueAt: LessThanOrEqual(before), status: In(['due']) },
      order: { dueAt: 'ASC' },
      take: limit,
    })
    return rows.map(row => ({ id: row.id, dueAt: row.dueAt as Date }))
  }

  /** Asks the provider to send one refund back; a passing fault makes it due again later, with growing pauses. */
  async send(id: string): Promise<void> {
    const refund = await this.refunds.findOneBy({ id, status: 'due', dueAt: Not(IsNull()) })
    if (!refund || (refund.dueAt as Date) > this.clock.now()) return
    const { intentId } = await this.dataSource.getRepository(PaymentEntity).findOneByOrFail({ id: refund.paymentId })
    if (!intentId) throw new Error(`refund ${id}: its payment has no intent`)
    try {
      const sent = await this.provider.refund({ id, intentId, amountMinor: refund.amountMinor })
      await this.settle(id, sent.providerRefundId, sent.status)
    } catch (error) {
      await this.postpone(refund, error)
    }
  }

  /** What the provider's event says of a refund. One that is not ours took money out of a deal behind its back. */
  async record({ id, refundId, providerRefundId, status }: RefundEvent): Promise<void> {
    const ours = refundId !== null && UUID_PATTERN.test(refundId) && (await this.refunds.existsBy({ id: refundId }))
    if (ours) return this.settle(refundId, providerRefundId, status)
    foreignRefunds.inc()
    this.log.error(
      { eventId: id, providerRefundId, status },
      'a refund that nobody ordered here: its deal still counts that money as held, and an operator must see to it',
    )
  }

  /** Keeps the provider's word; what it moves is posted with the change of the status, so it is posted once. */
  private async settle(id: string, providerRefundId: string, status: 'sent' | 'confirmed' | 'failed'): Promise<void> {
    const now = this.clock.now()
    await this.dataSource.transaction(async manager => {
      const refund = await manager.findOne(RefundEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })
      if (!refund || COURSE[status] <= COURSE[refund.status]) return
      if (status === 'failed')
        this.log.error(
          { refundId: id, was: refund.status },
          'a refund did not reach the buyer: an operator must see to it',
        )
      await manager.update(RefundEntity, { id }, { status, providerRefundId, dueAt: null, updatedAt: now })
      const { stray } = await manager.findOneByOrFail(PaymentEntity, { id: refund.paymentId })
      const entry = entryFor(refund, stray, status)
      if (entry) await postEntry(manager, refund.transactionId, refund.currency, entry, now)
    })
  }

  private async postpone(refund: RefundEntity, error: unknown): Promise<void> {
    const now = this.clock.now()
    const pauseMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(refund.attempts, 20), MAX_RETRY_MS)
    this.log.error({ err: error, refundId: refund.id, attempts: refund.attempts + 1 }, 'a refund could not be sent yet')
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

/** What a refund posts when it goes on to `status`: nothing, where no money moves. */
function entryFor(refund: RefundEntity, stray: boolean, status: RefundEntity['status']): JournalEntry | null {
  const { transactionId, paymentId, amountMinor } = refund
  if (status === 'confirmed')
    return stray ? strayRefundConfirmed(paymentId, amountMinor) : refundConfirmed(transactionId, amountMinor)
  if (status === 'failed' && refund.status === 'confirmed')
    return stray ? strayRefundReturned(paymentId, amountMinor) : refundReturned(transactionId, amountMinor)
  return null
}
