import { DomainError } from '@holdfast/kernel/errors'
import { UUID_PATTERN } from '@holdfast/kernel/ids'
import { fromNow } from '@holdfast/service-kit/database/database-time'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { AttemptFailed, keyOf } from '../../provider/stripe-calls.js'
import { type PaymentEntity, RefundEntity } from '../payment.entity.js'
import { ProviderRefundsService } from '../provider-refunds.service.js'
import { RefundProgressService } from '../refund-progress.service.js'
import { UnhandledEvents } from '../unhandled-events.js'
import type { Withdrawal } from './coinify-objects.js'
import { CryptoPaymentsRepository } from './crypto-payments.repository.js'
import { CryptoProcessor, CryptoRefusal, type WithdrawalRequest } from './crypto-processor.js'
import { isSameWallet } from './wallet-address.js'

/** An operator reads this beside a refund that may or may not be on its way. */
const UNANSWERED =
  'The crypto processor did not answer, so the withdrawal may be on its way. Look for it there before it is sent again.'

/** An operator reads this beside a refund of money that was found again after a restore. */
const RESTORED =
  'The database was restored, so the withdrawal may be on its way. Look for it at Coinify before it is sent again.'

/** What is known of a withdrawal that was asked for before. */
interface Begun {
  readonly providerId: string | null
  readonly isRefused: boolean
  readonly isRecent: boolean
}

/** The processor's answer comes within this time or not at all: it is longer than the time limit of a request. */
const ANSWERED_WITHIN_SECONDS = 60

/**
 * Refunds payments in cryptocurrency, by withdrawals to the buyer's wallet. The processor has no idempotency keys. So each withdrawal is
 * recorded before it is requested, and one without an answer is never requested again automatically: either the processor's event
 * reports it, or an operator decides.
 */
@Injectable()
export class CryptoRefundsService {
  private readonly log = loggerOf('crypto-refunds')

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly rows: CryptoPaymentsRepository,
    private readonly processor: CryptoProcessor,
    private readonly progress: RefundProgressService,
    private readonly unhandled: UnhandledEvents,
    private readonly madeByHand: ProviderRefundsService,
  ) {}

  /**
   * Sends a refund that is due.
   *
   * @throws AttemptFailed when the processor has refused it, so that nothing is sent
   */
  async send(refund: RefundEntity, payment: PaymentEntity): Promise<void> {
    const found = await this.rows.find(payment.id)
    if (!found) throw new Error(`the payment of refund ${refund.id} has no wallet`)
    if (payment.refundsWait) return this.stop(refund, RESTORED)
    const { asset, walletAddress } = found.crypto
    const { amountMinor, currency } = refund
    const orderId = keyOf(refund.id, refund.sendAttempt)
    if (!(await this.begin(orderId, refund))) return this.resume(refund, orderId)
    const { id: paymentId, userId } = payment
    const sent = await this.withdraw(refund, {
      orderId,
      paymentId,
      userId,
      amountMinor,
      currency,
      asset,
      walletAddress,
    })
    if (!sent) return
    await this.adopt(refund.id, sent.id, sent.status)
    await this.finish(orderId, sent.id)
  }

  /** @returns null when it is not known whether it is sent @throws AttemptFailed when nothing is sent */
  private async withdraw(refund: RefundEntity, request: WithdrawalRequest): Promise<Withdrawal | null> {
    const { orderId } = request
    try {
      return await this.processor.withdraw(request)
    } catch (error) {
      if (error instanceof CryptoRefusal) {
        await this.dataSource.query('UPDATE crypto_withdrawal SET refused_at = now() WHERE order_id = $1', [orderId])
        throw new AttemptFailed(error.message)
      }
      this.log.error({ err: error, refundId: refund.id, orderId }, 'it is not known whether a refund is on its way')
      await this.stop(refund)
      return null
    }
  }

  /** Asks for the state of a withdrawal, and records it for its refund. @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE` */
  async ask(refundId: string, withdrawalId: string): Promise<void> {
    const { status } = await this.processor.getWithdrawal(withdrawalId)
    await this.progress.advance(refundId, withdrawalId, status)
  }

  /**
   * Records a withdrawal that an event of the processor names. Its amount, its address and our id must match a refund of ours.
   *
   * @returns false when they match none
   * @throws DomainError `UNAVAILABLE` when its refund is lost and cannot be booked yet
   */
  async record(withdrawal: Withdrawal): Promise<boolean> {
    const { id, orderId, status, amountMinor, currency, address } = withdrawal
    const [refundId = ''] = orderId?.split(':') ?? []
    if (orderId === null || !UUID_PATTERN.test(refundId)) return false
    const refund = await this.refunds.findOneBy({ id: refundId })
    if (!refund) return this.recordLost(withdrawal)
    const found = await this.rows.find(refund.paymentId)
    const fits = refund.amountMinor === amountMinor && refund.currency === currency
    if (!found || !fits || !isSameWallet(found.crypto.asset, found.crypto.walletAddress, address)) return false
    const { providerRefundId } = refund
    if (providerRefundId !== null && providerRefundId !== id) return false
    // When the answer to our request was lost, the refund was stopped for that, perhaps only now.
    await this.adopt(refundId, id, status)
    await this.finish(orderId, id)
    return true
  }

  /**
   * Records a withdrawal whose refund is lost, because the database was restored to a time before it. It is booked as a refund
   * that an operator made by hand, and its deal ends or is stopped.
   */
  private async recordLost({ id, paymentId, status, amountMinor, currency, address }: Withdrawal): Promise<boolean> {
    if (paymentId === null || !UUID_PATTERN.test(paymentId) || amountMinor === null) return false
    const found = await this.rows.find(paymentId)
    if (!found || !isSameWallet(found.crypto.asset, found.crypto.walletAddress, address)) return false
    // Its event comes again once the network has it. The service itself does not ask the processor about a refund made by hand.
    if (status !== 'confirmed') throw new DomainError('UNAVAILABLE')
    return this.madeByHand.record({
      ...{ kind: 'refund', type: 'coinify.withdrawal', id: `coinify_${id}`, refundId: null, customerId: null },
      ...{ providerRefundId: id, intentId: found.payment.intentId, status, failureReason: null, amountMinor, currency },
    })
  }

  /**
   * Counts a withdrawal that is known to be on its way, although its refund was stopped: the service ended before it had recorded that. An
   * operator who sends such a refund again would have the buyer paid twice.
   */
  async adoptKnown(refundId: string): Promise<void> {
    const [known]: { providerId: string }[] = await this.dataSource.query(
      'SELECT provider_id AS "providerId" FROM crypto_withdrawal WHERE refund_id = $1 AND provider_id IS NOT NULL',
      [refundId],
    )
    if (known) await this.progress.adopt(refundId, known.providerId, 'sent')
  }

  /** Records the withdrawal of a refund. If the refund has another withdrawal already, the buyer was paid twice: an operator must act. */
  private async adopt(refundId: string, withdrawalId: string, status: Withdrawal['status']): Promise<void> {
    await this.progress.adopt(refundId, withdrawalId, status)
    const { providerRefundId } = await this.refunds.findOneByOrFail({ id: refundId })
    if (providerRefundId === withdrawalId) return
    this.log.error({ refundId, providerRefundId, withdrawalId }, 'a refund was sent twice: an operator must act')
    await this.unhandled.keepUnfitting(`coinify_withdrawal_${withdrawalId}`, 'coinify.second-withdrawal')
  }

  /**
   * Records that a withdrawal is requested now, if its refund is still due as the caller has read it.
   *
   * @returns false when it was asked for before, or another withdrawal of the refund is on its way, or the refund has changed
   */
  private async begin(orderId: string, { id, sendAttempt, amountMinor }: RefundEntity): Promise<boolean> {
    const begun: unknown[] = await this.dataSource.query(
      `INSERT INTO crypto_withdrawal (order_id, refund_id, begun_at)
       SELECT $1, r.id, now() FROM refund r
       WHERE r.id = $2 AND r.status = 'due' AND r.send_attempt = $3 AND r.amount_minor = $4 AND NOT EXISTS (
         SELECT FROM crypto_withdrawal w WHERE w.refund_id = r.id AND w.provider_id IS NOT NULL AND w.provider_id <> ALL (r.failed_provider_ids))
       FOR NO KEY UPDATE OF r
       ON CONFLICT DO NOTHING RETURNING order_id`,
      [orderId, id, sendAttempt, amountMinor.toString()],
    )
    return begun.length > 0
  }

  /**
   * Decides about a withdrawal that was requested before. A known answer is recorded. While the answer may still come, nothing is done,
   * because another replica may be waiting for it. Without a recorded request, the refund has changed since it was read.
   *
   * @throws AttemptFailed when the processor had refused it
   */
  private async resume(refund: RefundEntity, orderId: string): Promise<void> {
    const [begun]: Begun[] = await this.dataSource.query(
      `SELECT provider_id AS "providerId", refused_at IS NOT NULL AS "isRefused",
         begun_at > now() - $3 * interval '1 second' AS "isRecent"
       FROM crypto_withdrawal WHERE refund_id = $1 AND (order_id = $2 OR provider_id IS NOT NULL)
       ORDER BY provider_id NULLS LAST LIMIT 1`,
      [refund.id, orderId, ANSWERED_WITHIN_SECONDS],
    )
    if (!begun) return
    if (begun.providerId) return this.progress.adopt(refund.id, begun.providerId, 'sent')
    if (begun.isRefused) throw new AttemptFailed('The crypto processor had refused this withdrawal.')
    if (!begun.isRecent) await this.stop(refund)
  }

  private async finish(orderId: string, providerId: string): Promise<void> {
    const text = 'UPDATE crypto_withdrawal SET provider_id = $2 WHERE order_id = $1 AND provider_id IS NULL'
    await this.dataSource.query(text, [orderId, providerId])
  }

  /** Leaves a refund to an operator. The parties are not notified: it may be on its way. */
  private async stop({ id, sendAttempt }: RefundEntity, lastError = UNANSWERED): Promise<void> {
    await this.refunds.update(
      { id, status: 'due', sendAttempt },
      { status: 'failed', lastError, dueAt: null, updatedAt: fromNow(0) },
    )
  }

  private get refunds() {
    return this.dataSource.getRepository(RefundEntity)
  }
}
