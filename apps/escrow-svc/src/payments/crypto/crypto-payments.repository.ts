import { dueWithin, fromNow } from '@holdfast/service-kit/database/database-time'
import type { Deadline } from '@holdfast/timers/deadline'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { PaymentEntity, RefundEntity } from '../payment.entity.js'
import type { CryptoQuote } from './coinify-objects.js'
import { CryptoPaymentEntity, type Transfer } from './crypto-payment.entity.js'
import type { QuoteWish } from './crypto-processor.js'

/** A payment with what it has as one in cryptocurrency. */
export interface PaymentInCrypto {
  readonly payment: PaymentEntity
  readonly crypto: CryptoPaymentEntity
}

/** Reads and writes what payments in cryptocurrency have besides their rows in `payment`. */
@Injectable()
export class CryptoPaymentsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** A payment in cryptocurrency by its id; null when it is another one, or has no address yet. */
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
    const found = await Promise.all(payments.map(payment => this.find(payment.id)))
    return Promise.all(
      found.flatMap(each =>
        each
          ? [
              this.refunds
                .existsBy({ paymentId: each.payment.id, status: 'confirmed' })
                .then(isRefunded => ({ ...each, isRefunded })),
            ]
          : [],
      ),
    )
  }

  /**
   * Records the quote of a payment with its intent, unless another request has recorded one or the payment was closed.
   *
   * @returns whether this quote was recorded
   */
  recordQuote(wish: QuoteWish, intentId: string, quote: CryptoQuote, askAfterMs: number, now: Date): Promise<boolean> {
    return this.dataSource.transaction(async manager => {
      const opened = { status: 'open' as const, intentId, updatedAt: now }
      const { affected } = await manager.update(PaymentEntity, { id: wish.paymentId, status: 'creating' }, opened)
      if (affected !== 1) return false
      const { paymentId, asset, walletAddress } = wish
      const row = { paymentId, asset, walletAddress, ...quote, transfers: [], createdAt: now, updatedAt: now }
      await manager.insert(CryptoPaymentEntity, { ...row, askDueAt: fromNow(askAfterMs) })
      return true
    })
  }

  /** Records what the processor says of the transfers, and until when its amount holds. */
  async recordTransfers(
    paymentId: string,
    { transfers, expiresAt }: { readonly transfers: readonly Transfer[]; readonly expiresAt: Date },
    now: Date,
  ): Promise<void> {
    await this.rows.update({ paymentId }, { transfers: [...transfers], expiresAt, updatedAt: now })
  }

  async recordCredit(paymentId: string, creditedMinor: bigint, now: Date): Promise<void> {
    await this.rows.update({ paymentId }, { creditedMinor, updatedAt: now })
  }

  /** @param afterMs null when nothing can come any more */
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
    return crypto && { crypto, payment: await this.payments.findOneByOrFail({ id: crypto.paymentId }) }
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
