import { DomainError } from '@holdfast/kernel/errors'
import { UUID_PATTERN } from '@holdfast/kernel/ids'
import type { PaymentStatus } from '@holdfast/kernel/payments'
import { dueWithin, fromNow } from '@holdfast/service-kit/database/database-time'
import { findAnswer, type IdempotencyKey, keepFirstAnswer } from '@holdfast/service-kit/idempotency/idempotency'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, In, IsNull, LessThan, LessThanOrEqual, Not } from 'typeorm'
import { PaymentEntity } from './payment.entity.js'
import type { Intent } from './provider-objects.js'

const OPEN = ['creating', 'open', 'processing'] as const satisfies readonly PaymentStatus[]

/** Whether a payment has not ended. */
export const isOpenPayment = (status: PaymentStatus): boolean => OPEN.some(each => each === status)

/**
 * What is kept of the answer to a key. The answer itself has the secret with which the payment is paid, so it is made anew from what is true
 * when the key is repeated.
 */
interface BegunPayment {
  readonly paymentId: string
}

/** Reads and writes payments. Only `DealsRepository` records that one succeeded, because that also changes the deal. */
@Injectable()
export class PaymentsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  get(id: string): Promise<PaymentEntity> {
    return this.rows.findOneByOrFail({ id })
  }

  /** @param id as the provider has it in its metadata, where anything may stand */
  async exists(id: string): Promise<boolean> {
    return UUID_PATTERN.test(id) && this.rows.existsBy({ id })
  }

  /** The deal's payment that has not ended, or null. */
  findOpen(dealId: number): Promise<PaymentEntity | null> {
    return this.rows.findOneBy({ transactionId: dealId, status: In(OPEN), stray: false })
  }

  /**
   * The open payment of a deal, or a new one. Two requests at the same time get the same payment. The insert locks the
   * deal's row: a cancellation at the same time either comes later and sees the payment, or comes first and prevents it.
   *
   * @throws DomainError `CONFLICT` when the deal was paid or cancelled in the meantime
   */
  async findOrOpen(
    wanted: Pick<PaymentEntity, 'id' | 'transactionId' | 'userId' | 'method' | 'amountMinor' | 'currency'> & {
      now: Date
    },
  ): Promise<PaymentEntity> {
    const open = await this.findOpen(wanted.transactionId)
    if (open) return open
    await this.dataSource.query(
      `INSERT INTO payment (id, transaction_id, user_id, method, status, amount_minor, currency, created_at, updated_at)
       SELECT $1, t.id, $3, $4, 'creating', $5, $6, $7, $7 FROM transaction t WHERE t.id = $2 AND t.status = 'pending'
       FOR SHARE ON CONFLICT DO NOTHING`,
      [
        wanted.id,
        wanted.transactionId,
        wanted.userId,
        wanted.method,
        wanted.amountMinor.toString(),
        wanted.currency,
        wanted.now,
      ],
    )
    const found = await this.findOpen(wanted.transactionId)
    if (!found) throw new DomainError('CONFLICT')
    return found
  }

  /**
   * Records the intent that the provider created. A payment that was cancelled in the meantime stays cancelled.
   *
   * @returns the id of the intent that was recorded first
   * @throws DomainError `CONFLICT` when it was cancelled before it had an intent
   */
  async recordIntent(payment: PaymentEntity, intent: Intent, now: Date): Promise<string> {
    await this.rows.update(
      { id: payment.id, status: 'creating' },
      {
        status: 'open',
        intentId: intent.id,
        customerId: intent.customerId,
        transfer: intent.transfer?.details ?? null,
        updatedAt: now,
      },
    )
    const recorded = await this.rows.findOneByOrFail({ id: payment.id })
    if (!recorded.intentId) throw new DomainError('CONFLICT')
    return recorded.intentId
  }

  /**
   * Gives a payment its next attempt, unless another process has done so. The intents that earlier attempts created at the
   * provider are looked for later.
   */
  async beginNextAttempt({ id, attempt }: PaymentEntity, checkAfterMs: number): Promise<PaymentEntity> {
    await this.rows.update({ id, attempt }, { attempt: attempt + 1, checkDueAt: fromNow(checkAfterMs) })
    return this.rows.findOneByOrFail({ id })
  }

  /** The payments for which lost intents are to be looked for within a time from now. The earliest due time comes first. */
  async listToCheck(aheadMs: number, limit: number): Promise<{ id: string; dueAt: Date }[]> {
    const rows = await this.rows.find({
      where: { checkDueAt: dueWithin(aheadMs) },
      order: { checkDueAt: 'ASC' },
      take: limit,
    })
    return rows.map(row => ({ id: row.id, dueAt: row.checkDueAt as Date }))
  }

  /** The deal's latest payment that is not stray, or null. */
  findLatest(dealId: number): Promise<PaymentEntity | null> {
    return this.rows.findOne({ where: { transactionId: dealId, stray: false }, order: { id: 'DESC' } })
  }

  /** The payments that wait for the provider, the latest change first. */
  listWaiting(limit: number): Promise<PaymentEntity[]> {
    return this.rows.find({
      where: { status: In(['open', 'processing']), stray: false, intentId: Not(IsNull()) },
      order: { updatedAt: 'DESC' },
      take: limit,
    })
  }

  /** Records that the provider is asked now; false when any replica has asked it after `since`. */
  async claimAsking(id: string, since: Date, now: Date): Promise<boolean> {
    const { affected } = await this.rows.update(
      [
        { id, askedAt: IsNull() },
        { id, askedAt: LessThanOrEqual(since) },
      ],
      { askedAt: now },
    )
    return affected === 1
  }

  /** A payment for which lost intents are to be looked for now; null when they are not. */
  findToCheck(id: string): Promise<PaymentEntity | null> {
    return this.rows.findOneBy({ id, checkDueAt: dueWithin(0) })
  }

  /** @param checkAfterMs null when the payment needs no further check */
  async setCheck(id: string, checkAfterMs: number | null): Promise<void> {
    await this.rows.update({ id }, { checkDueAt: checkAfterMs === null ? null : fromNow(checkAfterMs) })
  }

  /** Closes a payment for which no money has been seen. One that is `processing` meanwhile goes on. */
  async markCancelledUnpaid(id: string, now: Date): Promise<void> {
    await this.rows.update({ id, status: In(['creating', 'open']) }, { status: 'cancelled', updatedAt: now })
  }

  /** The provider will never accept this payment. It has failed, and another one may be opened. */
  async markRefused(id: string, reason: string, now: Date): Promise<void> {
    await this.rows.update({ id, status: 'creating' }, { status: 'failed', lastError: reason, updatedAt: now })
  }

  /** The provider's fee is not looked for any more by itself. */
  async stopReadingFee(id: string): Promise<void> {
    await this.rows.update({ id, providerFeeMinor: IsNull() }, { feeDueAt: null })
  }

  async markProcessing(intentId: string, now: Date): Promise<void> {
    await this.rows.update({ intentId, status: In(['creating', 'open']) }, { status: 'processing', updatedAt: now })
  }

  /** The provider processes the intent no more: it was declined, and waits for another card. */
  async markOpen(intentId: string, now: Date): Promise<void> {
    await this.rows.update({ intentId, status: 'processing' }, { status: 'open', updatedAt: now })
  }

  async markCancelledByIntent(intentId: string, now: Date): Promise<void> {
    await this.rows.update({ intentId, status: In(OPEN) }, { status: 'cancelled', updatedAt: now })
  }

  /** What has arrived of a bank transfer. Events come in any order, and what has arrived only grows. */
  async recordReceived(intentId: string, receivedMinor: bigint, now: Date): Promise<void> {
    await this.rows.update(
      { intentId, status: In(OPEN), receivedMinor: LessThan(receivedMinor) },
      { receivedMinor, updatedAt: now },
    )
  }

  /** The bank has taken the transfer back. The payment has failed, and another one may be opened. */
  async markReturned(intentId: string, reason: string | null, now: Date): Promise<void> {
    await this.rows.update({ intentId, status: In(OPEN) }, { status: 'failed', lastError: reason, updatedAt: now })
  }

  /** The payment of a payer at the provider; null when the payer is not ours. */
  findByCustomer(customerId: string): Promise<PaymentEntity | null> {
    return this.rows.findOneBy({ customerId, unapplied: false })
  }

  /**
   * Keeps what is new of the money that came from a payer and that no payment took, as a payment that its deal does not take. Two
   * callers at the same time keep one part, and each calls again until nothing is left.
   *
   * @param sumMinor all of it that has ever come
   * @returns the name under which a part is found in place of an intent, which the other caller may have booked; null when all of it is booked
   */
  async keepUnapplied(of: PaymentEntity, id: string, sumMinor: bigint, now: Date): Promise<string | null> {
    const [known]: { sum: string }[] = await this.dataSource.query(
      'SELECT coalesce(sum(amount_minor), 0) AS sum FROM payment WHERE customer_id = $1 AND unapplied',
      [of.customerId],
    )
    const before = BigInt(known?.sum ?? 0)
    if (sumMinor > before) {
      // The sum before names this part of it: of two callers at the same time, one inserts the row, perhaps with less than the other.
      const name = `${of.customerId}:${before}`
      await this.dataSource.query(
        `INSERT INTO payment (id, transaction_id, user_id, method, status, amount_minor, currency, intent_id, customer_id,
           unapplied, stray, created_at, updated_at)
         VALUES ($1, $2, $3, 'bank', 'processing', $4, $5, $6, $7, true, true, $8, $8) ON CONFLICT DO NOTHING`,
        [id, of.transactionId, of.userId, (sumMinor - before).toString(), of.currency, name, of.customerId, now],
      )
      return name
    }
    const [waiting]: { intent_id: string }[] = await this.dataSource.query(
      `SELECT intent_id FROM payment WHERE customer_id = $1 AND unapplied AND status = 'processing' ORDER BY id LIMIT 1`,
      [of.customerId],
    )
    return waiting?.intent_id ?? null
  }

  /** Whether a payment is open whose deal is cancelled: it was begun at the same moment. */
  async isOpenOfCancelledDeal(intentId: string): Promise<boolean> {
    const rows: object[] = await this.dataSource.query(
      `SELECT FROM payment p JOIN transaction t ON t.id = p.transaction_id
        WHERE p.intent_id = $1 AND p.status = 'open' AND t.status = 'cancelled'`,
      [intentId],
    )
    return rows.length > 0
  }

  /** Whether a payment has ended whose deal is secured all the same, and no other payment of that deal is open. */
  async isEndedOfSecuredDeal(intentId: string): Promise<boolean> {
    const rows: object[] = await this.dataSource.query(
      `SELECT FROM payment p JOIN transaction t ON t.id = p.transaction_id
        WHERE p.intent_id = $1 AND p.status IN ('failed', 'cancelled') AND t.status = 'secured' AND NOT EXISTS (
          SELECT FROM payment o WHERE o.transaction_id = t.id AND o.status IN ('creating', 'open', 'processing') AND NOT o.stray)`,
      [intentId],
    )
    return rows.length > 0
  }

  isProcessing(intentId: string): Promise<boolean> {
    return this.rows.existsBy({ intentId, status: 'processing' })
  }

  /** The card was declined. The intent waits for another card, so the payment is open again. */
  async markDeclined(intentId: string, reason: string | null, now: Date): Promise<void> {
    await this.rows.update({ intentId, status: In(OPEN) }, { status: 'open', lastError: reason, updatedAt: now })
  }

  /** The payment that was begun with a key; undefined for a new key. @throws DomainError `IDEMPOTENCY_KEY_REUSED` */
  findBegun(key: IdempotencyKey): Promise<BegunPayment | undefined> {
    return findAnswer(this.dataSource, key)
  }

  /**
   * Keeps which payment was begun with a key, unless one was kept before.
   *
   * @returns the payment that was kept first
   * @throws DomainError `IDEMPOTENCY_KEY_REUSED`
   */
  keepBegun(key: IdempotencyKey, { id: paymentId }: PaymentEntity, now: Date): Promise<BegunPayment> {
    return keepFirstAnswer(this.dataSource, key, { paymentId }, now)
  }

  private get rows() {
    return this.dataSource.getRepository(PaymentEntity)
  }
}
