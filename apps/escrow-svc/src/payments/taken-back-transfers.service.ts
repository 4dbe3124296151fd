import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'
import { strayPaymentReversed } from '../ledger/domain/journal.js'
import { postEntry } from '../ledger/post-entry.js'
import { PaymentEntity, RefundEntity } from './payment.entity.js'
import { PaymentsRepository } from './payments.repository.js'
import { StripeProvider } from './stripe.provider.js'

// The deal first, as everywhere. Several refunds of its parts are then not reduced by the same money.
const LOCK_DEAL = 'SELECT FROM transaction WHERE id = $1 FOR NO KEY UPDATE'
// The newest first: a bank takes back what it has sent last.
const UNPAID = `SELECT r.id, r.amount_minor AS "amountMinor", r.payment_id AS "paymentId", r.transaction_id AS "transactionId", r.send_attempt AS "sendAttempt", p.currency
  FROM refund r JOIN payment p ON p.id = r.payment_id
 WHERE p.customer_id = $1 AND p.unapplied AND r.origin = 'us' AND r.status IN ('due', 'failed') ORDER BY r.id DESC FOR UPDATE OF r`
const KNOWN = 'SELECT coalesce(sum(reversed_minor), 0) AS known FROM payment WHERE customer_id = $1'
const ADD = 'UPDATE payment SET reversed_minor = reversed_minor + $2 WHERE id = $1'

/**
 * When a transfer arrives and no payment takes its money, the money is booked and a refund is due. If the payer's bank takes the transfer back
 * before the refund was sent, that money is not owed any more, and the provider refuses the refund. Then this service reduces the refund and
 * posts what the bank has taken.
 */
@Injectable()
export class TakenBackTransfersService {
  private readonly log = loggerOf('bank-transfers')

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly payments: PaymentsRepository,
    private readonly provider: StripeProvider,
  ) {}

  /**
   * Takes off the unpaid refunds of a payer what their bank has taken back. A repetition changes nothing.
   *
   * @returns false when the payer is not ours
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  async record(customerId: string): Promise<boolean> {
    const payment = await this.payments.findByCustomer(customerId)
    if (!payment) return false
    const found = await this.provider.takenBackOf(customerId)
    if (found.takenMinor > 0n) await this.dataSource.transaction(manager => this.takeOff(manager, payment, found))
    return true
  }

  private async takeOff(
    manager: EntityManager,
    { customerId, transactionId }: PaymentEntity,
    { takenMinor, keptMinor }: { readonly takenMinor: bigint; readonly keptMinor: bigint },
  ): Promise<void> {
    await manager.query(LOCK_DEAL, [transactionId])
    const unpaid: Unpaid[] = await manager.query(UNPAID, [customerId])
    const [{ known }]: [{ known: string }] = await manager.query(KNOWN, [customerId])
    const owedMinor = unpaid.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), 0n)
    // Only unpaid refunds are reduced. The bank may also have taken money that a payment had, or that was refunded before.
    let leftMinor = least(takenMinor - BigInt(known), owedMinor - keptMinor)
    const now = await databaseTime(manager)
    for (const refund of unpaid) {
      if (leftMinor <= 0n) return
      const goneMinor = least(leftMinor, BigInt(refund.amountMinor))
      leftMinor -= goneMinor
      await this.reduce(manager, refund, goneMinor, now)
    }
  }

  private async reduce(manager: EntityManager, refund: Unpaid, goneMinor: bigint, now: Date): Promise<void> {
    const { id, paymentId, transactionId, sendAttempt, currency } = refund
    const amountMinor = BigInt(refund.amountMinor) - goneMinor
    // The provider refuses another amount under the key of an earlier attempt.
    const left = { amountMinor, sendAttempt: sendAttempt + 1 }
    const change = amountMinor > 0n ? left : { status: 'void' as const, dueAt: null }
    await manager.update(RefundEntity, { id }, { ...change, updatedAt: now })
    await manager.query(ADD, [paymentId, goneMinor.toString()])
    await postEntry(manager, Number(transactionId), currency, strayPaymentReversed(paymentId, goneMinor), now)
    this.log.warn({ refundId: id, transactionId }, 'a bank has taken back what was to be refunded')
  }
}

interface Unpaid {
  readonly id: string
  readonly amountMinor: string
  readonly paymentId: string
  readonly transactionId: string
  readonly sendAttempt: number
  readonly currency: PaymentEntity['currency']
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
