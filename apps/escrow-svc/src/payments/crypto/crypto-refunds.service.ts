import { UUID_PATTERN } from '@holdfast/kernel/ids'
import { fromNow } from '@holdfast/service-kit/database/database-time'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { AttemptFailed, keyOf } from '../../provider/stripe-calls.js'
import { type PaymentEntity, RefundEntity } from '../payment.entity.js'
import { RefundProgressService } from '../refund-progress.service.js'
import type { Withdrawal } from './coinify-objects.js'
import { CryptoPaymentsRepository } from './crypto-payments.repository.js'
import { CryptoProcessor, CryptoRefusal } from './crypto-processor.js'

/** An operator reads this beside a refund of which it is not known whether it is on its way. */
const UNANSWERED =
  'The crypto processor did not answer, so the withdrawal may be on its way. Look for it there before it is sent again.'

/** Longer than a request to the processor takes at most. */
const ANSWERED_WITHIN_SECONDS = 60

/**
 * Refunds payments in cryptocurrency, by withdrawals to the buyer's wallet. The processor has no idempotency keys. So each withdrawal is
 * written down before it is asked for, and one without an answer is never asked for again by itself: the processor's event
 * tells of it, or an operator looks.
 */
@Injectable()
export class CryptoRefundsService {
  private readonly log = loggerOf('crypto-refunds')

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly rows: CryptoPaymentsRepository,
    private readonly processor: CryptoProcessor,
    private readonly progress: RefundProgressService,
  ) {}

  /**
   * Sends a refund that is due.
   *
   * @throws AttemptFailed when the processor has refused it, so that nothing is sent
   */
  async send(refund: RefundEntity, payment: PaymentEntity): Promise<void> {
    const found = await this.rows.find(payment.id)
    if (!found) throw new Error(`the payment of refund ${refund.id} has no wallet`)
    const { asset, walletAddress } = found.crypto
    const { amountMinor, currency } = refund
    const orderId = keyOf(refund.id, refund.sendAttempt)
    if (!(await this.begin(orderId, refund.id))) return this.resume(refund, orderId)
    try {
      const { userId } = payment
      const sent = await this.processor.withdraw({ orderId, userId, amountMinor, currency, asset, walletAddress })
      await this.finish(orderId, sent.id)
      // Another replica may have stopped it meanwhile, because it saw no answer.
      await this.progress.adopt(refund.id, sent.id, sent.status)
    } catch (error) {
      if (error instanceof CryptoRefusal) throw new AttemptFailed(error.message)
      this.log.error({ err: error, refundId: refund.id, orderId }, 'it is not known whether a refund is on its way')
      await this.stop(refund)
    }
  }

  /** How far a refund is that was sent. @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE` */
  async ask(refundId: string, withdrawalId: string): Promise<void> {
    const { status } = await this.processor.getWithdrawal(withdrawalId)
    await this.progress.advance(refundId, withdrawalId, status)
  }

  /**
   * Handles the processor's event about a withdrawal. Its amount, its address and our id must be those of a refund of ours.
   *
   * @returns false when it is about none
   */
  async record({ id, orderId, status, amountMinor, currency, address }: Withdrawal): Promise<boolean> {
    const [refundId = ''] = orderId.split(':')
    if (!UUID_PATTERN.test(refundId)) return false
    const refund = await this.refunds.findOneBy({ id: refundId })
    const found = refund && (await this.rows.find(refund.paymentId))
    const fits = refund?.amountMinor === amountMinor && refund.currency === currency
    if (!found || !fits || found.crypto.walletAddress !== address) return false
    const { providerRefundId } = refund
    if (providerRefundId !== null && providerRefundId !== id) return false
    if (providerRefundId === null) await this.finish(orderId, id)
    // When the answer to our request was lost, the refund was stopped for that, perhaps only now.
    await this.progress.adopt(refundId, id, status)
    return true
  }

  /** Writes down that a withdrawal is asked for now. False when it was before, and no answer is known. */
  private async begin(orderId: string, refundId: string): Promise<boolean> {
    const begun: unknown[] = await this.dataSource.query(
      `INSERT INTO crypto_withdrawal (order_id, refund_id, begun_at) VALUES ($1, $2, now())
       ON CONFLICT DO NOTHING RETURNING order_id`,
      [orderId, refundId],
    )
    return begun.length > 0
  }

  /**
   * A withdrawal was asked for before. Its answer is recorded when it is known. While it may still come, it is waited for: another replica
   * may be asking at this moment.
   */
  private async resume(refund: RefundEntity, orderId: string): Promise<void> {
    const [begun]: { providerId: string | null; isRecent: boolean }[] = await this.dataSource.query(
      `SELECT provider_id AS "providerId", begun_at > now() - $2 * interval '1 second' AS "isRecent"
       FROM crypto_withdrawal WHERE order_id = $1`,
      [orderId, ANSWERED_WITHIN_SECONDS],
    )
    if (begun?.providerId) return this.progress.adopt(refund.id, begun.providerId, 'sent')
    if (!begun?.isRecent) await this.stop(refund)
  }

  private async finish(orderId: string, providerId: string): Promise<void> {
    const text = 'UPDATE crypto_withdrawal SET provider_id = $2 WHERE order_id = $1 AND provider_id IS NULL'
    await this.dataSource.query(text, [orderId, providerId])
  }

  /** Leaves a refund to an operator. The parties are not notified: it may be on its way. */
  private async stop({ id }: RefundEntity): Promise<void> {
    await this.refunds.update(
      { id, status: 'due' },
      { status: 'failed', lastError: UNANSWERED, dueAt: null, updatedAt: fromNow(0) },
    )
  }

  private get refunds() {
    return this.dataSource.getRepository(RefundEntity)
  }
}
