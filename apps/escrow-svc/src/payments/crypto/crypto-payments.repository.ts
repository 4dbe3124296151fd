import { databaseTime, dueWithin, fromNow } from '@holdfast/service-kit/database/database-time'
import type { Deadline } from '@holdfast/timers/deadline'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, In, IsNull } from 'typeorm'
import { PaymentEntity, RefundEntity } from '../payment.entity.js'
import type { CryptoIntent, CryptoQuote } from './coinify-objects.js'
import { CryptoPaymentEntity } from './crypto-payment.entity.js'
import type { QuoteRequest } from './crypto-processor.js'

/** A payment, with the columns that only a payment in cryptocurrency has. */
export interface PaymentInCrypto {
  readonly payment: PaymentEntity
  readonly crypto: CryptoPaymentEntity
  /** The database's time of the read. Whether a quote still holds is judged by it. */
  readonly readAt: Date
}

/** Reads and writes the columns that only payments in cryptocurrency have. */
@Injectable()
export class CryptoPaymentsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** A payment in cryptocurrency by its id; null when it is paid in another way, or has no address yet. */
  async find(paymentId: string): Promise<PaymentInCrypto | null> {
    return this.withPayment(await this.rows.findOneBy({ paymentId }))
  }

  /** The payment of an intent; null when no payment of ours has it. */
  async findByIntent(intentId: string): Promise<PaymentInCrypto | null> {
    const payment = await this.payments.findOneBy({ intentId, method: 'crypto' })
    return payment && this.find(payment.id)
  }

  /** Whether a payment waits for its address: a request of it may be at the processor. */
  isCreating(paymentId: string): Promise<boolean> {
    return this.payments.existsBy({ id: paymentId, method: 'crypto', status: 'creating' })
  }

  /** The payments in cryptocurrency of a deal, the latest first, each with whether a refund of ours has returned it. */
  async ofDeal(transactionId: number): Promise<(PaymentInCrypto & { readonly isRefunded: boolean })[]> {
    const payments = await this.payments.find({ where: { transactionId, method: 'crypto' }, order: { id: 'DESC' } })
    const paymentId = In(payments.map(({ id }) => id))
    const [rows, refunds, readAt] = await Promise.all([
      this.rows.findBy({ paymentId }),
      this.refunds.findBy({ paymentId, status: 'confirmed' }),
      databaseTime(this.dataSource),
    ])
    return payments.flatMap(payment => {
      const crypto = rows.find(row => row.paymentId === payment.id)
      if (!crypto) return []
      return [{ payment, crypto, readAt, isRefunded: refunds.some(refund => refund.paymentId === payment.id) }]
    })
  }

  /**
   * Records the quote of a payment with its intent, unless another request has recorded one or the payment was closed.
   *
   * @returns whether this quote was recorded
   */
  recordQuote(request: QuoteRequest, intentId: string, quote: CryptoQuote, askAfterMs: number): Promise<boolean> {
    return this.dataSource.transaction(async manager => {
      const now = await databaseTime(manager)
      const opened = { status: 'open' as const, intentId, updatedAt: now }
      const { affected } = await manager.update(PaymentEntity, { id: request.paymentId, status: 'creating' }, opened)
      if (affected !== 1) return false
      const { paymentId, asset, walletAddress } = request
      const row = { paymentId, asset, walletAddress, ...quote, transfers: [], createdAt: now, updatedAt: now }
      await manager.insert(CryptoPaymentEntity, { ...row, askDueAt: fromNow(askAfterMs) })
      return true
    })
  }

  /** Counts a question to the processor. Its answer is recorded under the number. */
  async beginAsk(paymentId: string): Promise<number> {
    const [rows]: [{ asks: number }[]] = await this.dataSource.query(
      'UPDATE crypto_payment SET asks = asks + 1 WHERE payment_id = $1 RETURNING asks',
      [paymentId],
    )
    return rows[0]!.asks
  }

  /**
   * Records an answer of the processor: the transfers, until when the quote holds, and the effects of `work`. The row is locked meanwhile,
   * so all replicas record the answers about a payment one after another.
   * When `work` fails, or the service ends, the answer counts as not recorded. So `work` must be safe to repeat, and must not write this row.
   *
   * @param nth the number from `beginAsk`
   * @returns false when the answer to a later question was recorded before
   */
  async recordAnswer(
    paymentId: string,
    nth: number,
    { transfers, expiresAt }: Pick<CryptoIntent, 'transfers' | 'expiresAt'>,
    work: (crypto: CryptoPaymentEntity) => Promise<void>,
  ): Promise<boolean> {
    return this.dataSource.transaction(async manager => {
      const row = await manager.findOneOrFail(CryptoPaymentEntity, {
        where: { paymentId },
        lock: { mode: 'pessimistic_write' },
      })
      if (row.recordedAsk >= nth) return false
      await work(row)
      const updatedAt = await databaseTime(manager)
      const changes = { transfers: [...transfers], expiresAt, recordedAsk: nth, updatedAt }
      await manager.update(CryptoPaymentEntity, { paymentId }, changes)
      return true
    })
  }

  /** Records the amount that the processor credits. The difference is its fee, which the timer then posts, even if it had given up. */
  async recordCredit(paymentId: string, creditedMinor: bigint): Promise<void> {
    await this.rows.update({ paymentId }, { creditedMinor, updatedAt: fromNow(0) })
    const waiting = { id: paymentId, status: 'succeeded' as const, providerFeeMinor: IsNull() }
    await this.payments.update(waiting, { feeDueAt: fromNow(0) })
  }

  /** @param afterMs null to ask no more, because no transfer can come any more */
  async askAgain(paymentId: string, afterMs: number | null): Promise<void> {
    await this.rows.update({ paymentId }, { askDueAt: afterMs === null ? null : fromNow(afterMs) })
  }

  /** The payments about which the processor is to be asked within a time from now. The earliest due time comes first. */
  async due(aheadMs: number, limit: number): Promise<Deadline[]> {
    const rows = await this.rows.find({
      where: { askDueAt: dueWithin(aheadMs) },
      order: { askDueAt: 'ASC' },
      take: limit,
    })
    return rows.map(({ paymentId, askDueAt }) => ({ id: paymentId, dueAt: askDueAt as Date }))
  }

  private async withPayment(crypto: CryptoPaymentEntity | null): Promise<PaymentInCrypto | null> {
    if (!crypto) return null
    const payment = await this.payments.findOneByOrFail({ id: crypto.paymentId })
    return { crypto, payment, readAt: await databaseTime(this.dataSource) }
  }

  private get rows() {
    return this.dataSource.getRepository(CryptoPaymentEntity)
  }

  private get payments() {
    return this.dataSource.getRepository(PaymentEntity)
  }

  private get refunds() {
    return this.dataSource.getRepository(RefundEntity)
  }
}
