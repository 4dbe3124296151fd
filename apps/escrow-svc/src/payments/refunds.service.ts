import { pauseAfter } from '@holdfast/kernel/backoff'
import { DomainError } from '@holdfast/kernel/errors'
import { formatAmount } from '@holdfast/kernel/money'
import { MAX_PAGE_SIZE } from '@holdfast/kernel/requests'
import { keepAct } from '@holdfast/service-kit/audit/admin-acts'
import { dueWithin, fromNow } from '@holdfast/service-kit/database/database-time'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type { Deadline } from '@holdfast/timers/deadline'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager, In } from 'typeorm'
import { AttemptFailed } from '../provider/stripe-calls.js'
import { CryptoRefundsService } from './crypto/crypto-refunds.service.js'
import { PaymentEntity, RefundEntity } from './payment.entity.js'
import { RefundProgressService } from './refund-progress.service.js'
import { StripeProvider } from './stripe.provider.js'
import { TakenBackTransfersService } from './taken-back-transfers.service.js'

const FIRST_RETRY_MS = 5_000
const MAX_RETRY_MS = 3_600_000

/**
 * Sends refunds. A refund's row is committed together with the decision. Afterwards the provider is called until it accepts
 * the refund, with the row's id as the idempotency key. `RefundProgressService` records what the provider then says.
 */
@Injectable()
export class RefundsService {
  private readonly log = loggerOf('refunds')

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly provider: StripeProvider,
    private readonly progress: RefundProgressService,
    private readonly crypto: CryptoRefundsService,
    private readonly takenBack: TakenBackTransfersService,
  ) {}

  /**
   * The refunds that are to be sent, also again, and those of ours that are to be asked about, within a time from now. The earliest
   * due time comes first.
   */
  async due(aheadMs: number, limit: number): Promise<Deadline[]> {
    const dueAt = dueWithin(aheadMs)
    const rows = await this.refunds.find({
      where: [
        { dueAt, status: In(['due', 'failed']) },
        { dueAt, status: 'sent', origin: 'us' },
      ],
      order: { dueAt: 'ASC' },
      take: limit,
    })
    return rows.map(row => ({ id: row.id, dueAt: row.dueAt as Date }))
  }

  /**
   * Sends one refund to the provider, or asks about one that was sent. When it cannot be sent, it is due again after a pause,
   * which grows with each attempt.
   */
  async send(id: string): Promise<void> {
    const found = await this.refunds.findOneBy({ id, status: In(['due', 'sent', 'failed']), dueAt: dueWithin(0) })
    if (found?.status === 'sent') return this.ask(found)
    if (found?.status === 'failed') await this.dataSource.transaction(manager => this.makeDueAgain(manager, id))
    const refund = found && (await this.progress.deductPaidOtherwise(id))
    if (refund?.status !== 'due') return
    const payment = await this.paymentOf(refund)
    const { intentId, unapplied, customerId } = payment
    if (!intentId) throw new Error(`the payment of refund ${id} has no intent`)
    try {
      if (payment.method === 'crypto') return await this.crypto.send(refund, payment)
      const { amountMinor, currency, sendAttempt: attempt } = refund
      const unappliedOf = unapplied ? customerId : null
      const sent = await this.provider.refund({ id, intentId, unappliedOf, amountMinor, currency, attempt })
      await this.progress.advance(id, sent.providerRefundId, sent.status, sent)
    } catch (error) {
      await this.postpone(refund, error)
      // The event may be lost with which the provider says why it refuses.
      if (error instanceof AttemptFailed && unapplied && customerId !== null) await this.takenBack.record(customerId)
    }
  }

  /**
   * The refunds that have not reached their buyers, for an operator. Those that failed come first, because the others go on by
   * themselves and may be more than the list shows. Then the latest change comes first.
   */
  async listUnfinished() {
    const rows = await this.refunds
      .createQueryBuilder('refund')
      .where({ status: In(['due', 'sent', 'failed']) })
      .orderBy(`refund.status = 'failed'`, 'DESC')
      .addOrderBy('refund.updatedAt', 'DESC')
      .take(MAX_PAGE_SIZE)
      .getMany()
    return rows.map(row => ({
      id: row.id,
      transactionId: row.transactionId,
      amount: formatAmount(row.amountMinor, row.currency),
      currency: row.currency,
      status: row.status,
      lastError: row.lastError,
      updatedAt: row.updatedAt.toISOString(),
    }))
  }

  /**
   * Makes a failed refund due again, on behalf of an operator. It is sent under a new idempotency key.
   *
   * @throws DomainError `NOT_FOUND`; `FORBIDDEN` for an admin who is a party of the deal; `CONFLICT` when it has not failed
   */
  async sendAgain(id: string, by: { readonly actorId: string; readonly reason: string }): Promise<void> {
    await this.crypto.adoptKnown(id)
    await this.dataSource.transaction(async manager => {
      const { providerRefundId, lastError, transactionId, paymentId } = await this.makeDueAgain(manager, id)
      await manager.update(PaymentEntity, { id: paymentId }, { refundsWait: false })
      const party = 'SELECT FROM transaction WHERE id = $1 AND $2 IN (buyer_id, seller_id)'
      const parties: object[] = await manager.query(party, [transactionId, by.actorId])
      if (parties.length > 0) throw new DomainError('FORBIDDEN')
      await keepAct(manager, {
        ...by,
        act: 'refund.send_again',
        subject: `refund:${id}`,
        before: { status: 'failed', providerRefundId, lastError },
        after: { status: 'due', transactionId },
      })
    })
  }

  /**
   * Makes a failed refund due. It is sent under a new idempotency key.
   *
   * @returns the refund as it was
   * @throws DomainError `NOT_FOUND`, `CONFLICT` when it has not failed
   */
  private async makeDueAgain(manager: EntityManager, id: string): Promise<RefundEntity> {
    const refund = await manager.findOne(RefundEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })
    if (!refund) throw new DomainError('NOT_FOUND')
    if (refund.status !== 'failed') throw new DomainError('CONFLICT', { status: refund.status })
    const { providerRefundId, failedProviderIds, sendAttempt } = refund
    await manager.update(
      RefundEntity,
      { id },
      {
        status: 'due',
        providerRefundId: null,
        failedProviderIds: providerRefundId ? [...failedProviderIds, providerRefundId] : failedProviderIds,
        sendAttempt: sendAttempt + 1,
        attempts: 0,
        dueAt: fromNow(0),
        updatedAt: fromNow(0),
      },
    )
    return refund
  }

  /** Asks the provider about a refund that it has accepted, until it is final. */
  private async ask(refund: RefundEntity): Promise<void> {
    const { id, providerRefundId } = refund
    if (!providerRefundId) throw new Error(`refund ${id} was sent and has no id of the provider`)
    await this.progress.askAgainLater(id)
    if ((await this.paymentOf(refund)).method === 'crypto') return this.crypto.ask(id, providerRefundId)
    const found = await this.provider.getRefund(providerRefundId)
    await this.progress.advance(id, providerRefundId, found.status, found)
  }

  /** Makes a refund due again after a pause, which doubles with each attempt. */
  private async postpone(refund: RefundEntity, error: unknown): Promise<void> {
    const pauseMs = pauseAfter(refund.attempts + 1, { firstMs: FIRST_RETRY_MS, longestMs: MAX_RETRY_MS })
    this.log.error(
      { err: error, refundId: refund.id, attempts: refund.attempts + 1 },
      'a refund could not be sent and is tried again',
    )
    await this.refunds.update(
      // When it was reduced meanwhile, it is due at once under another key.
      { id: refund.id, status: 'due', sendAttempt: refund.sendAttempt },
      {
        // The provider repeats its answer under the same key.
        sendAttempt: refund.sendAttempt + (error instanceof AttemptFailed ? 1 : 0),
        attempts: refund.attempts + 1,
        lastError: error instanceof Error ? error.message : String(error),
        dueAt: fromNow(pauseMs),
        updatedAt: fromNow(0),
      },
    )
  }

  private paymentOf({ paymentId }: RefundEntity): Promise<PaymentEntity> {
    return this.dataSource.getRepository(PaymentEntity).findOneByOrFail({ id: paymentId })
  }

  private get refunds() {
    return this.dataSource.getRepository(RefundEntity)
  }
}
