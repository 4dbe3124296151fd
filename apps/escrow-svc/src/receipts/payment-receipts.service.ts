import type { PaymentReceiptRecord } from '@holdfast/contracts/receipts'
import { DomainError } from '@holdfast/kernel/errors'
import { formatAmount } from '@holdfast/kernel/money'
import {
  type PAID_STATES,
  paymentReceiptNumber,
  type RETURN_STATES,
  type TAKEN_STATES,
} from '@holdfast/kernel/receipts'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { z } from 'zod'
import { DealEntity } from '../deals/deal.entity.js'
import { CardsUsed } from '../payments/cards-used.js'
import { PaymentEntity } from '../payments/payment.entity.js'
import { quoteLines } from '../payments/quote-lines.js'
import { CHARGEBACK_ID, CHARGEBACK_STATE, PAYMENT_IS_SHOWN, PAYMENT_STATE, REFUND_STATE } from './states.js'

type Receipt = z.input<typeof PaymentReceiptRecord>

interface StateRow {
  readonly state: (typeof PAID_STATES)[number]
  readonly paid_at: Date | null
}
interface ReturnRow<State extends string> {
  readonly id: string
  readonly state: State
  readonly amount_minor: string
  readonly at: Date
}

/** When we had the money: of the deal's own payment the time of its charge, of another one the time when it was kept to be returned. */
const STATE = `SELECT ${PAYMENT_STATE} AS state, CASE WHEN p.id = t.settled_payment_id THEN t.paid_at ELSE (
      SELECT min(e.at) FROM journal_entry e JOIN posting o ON o.entry_id = e.id
       WHERE e.transaction_id = t.id AND e.kind = 'stray_payment' AND o.credit = 'unapplied:' || p.id) END AS paid_at
  FROM payment p JOIN transaction t ON t.id = p.transaction_id WHERE p.id = $1 AND p.user_id = $2 AND ${PAYMENT_IS_SHOWN}`

const REFUNDS = `SELECT r.id, ${REFUND_STATE} AS state, r.amount_minor, r.created_at AS at
  FROM refund r WHERE r.payment_id = $1 ORDER BY r.id`

const CHARGEBACKS = `SELECT ${CHARGEBACK_ID} AS id, ${CHARGEBACK_STATE} AS state, c.amount_minor, c.created_at AS at
  FROM chargeback c WHERE c.payment_id = $1 ORDER BY c.created_at, c.id`

/** The receipts of payments. Only the user who paid gets one. */
@Injectable()
export class PaymentReceiptsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly cards: CardsUsed,
  ) {}

  /** @throws DomainError `NOT_FOUND`, also for the payment of another user, and for one with which no money moved */
  async get(paymentId: string, userId: string): Promise<Receipt> {
    const [found]: StateRow[] = await this.dataSource.query(STATE, [paymentId, userId])
    if (!found) throw new DomainError('NOT_FOUND')
    const payment = await this.dataSource.getRepository(PaymentEntity).findOneByOrFail({ id: paymentId })
    const { transactionId, currency, amountMinor } = payment
    const [deal, card, refunds, chargebacks] = await Promise.all([
      this.dataSource.getRepository(DealEntity).findOneByOrFail({ id: transactionId }),
      this.cards.of(payment),
      this.dataSource.query<ReturnRow<(typeof RETURN_STATES)[number]>[]>(REFUNDS, [paymentId]),
      this.dataSource.query<ReturnRow<(typeof TAKEN_STATES)[number]>[]>(CHARGEBACKS, [paymentId]),
    ])
    const format = (minor: bigint) => formatAmount(minor, currency)
    const show = <State extends string>({ id, state, amount_minor: amount, at }: ReturnRow<State>) => ({
      ...{ id, state, amount: format(BigInt(amount)), at: at.toISOString() },
    })
    const back = [...refunds, ...chargebacks].filter(({ state }) => state === 'returned' || state === 'lost')
    return {
      paymentId,
      number: paymentReceiptNumber(transactionId, paymentId),
      state: found.state,
      purpose: payment.unapplied ? 'unapplied' : payment.stray ? 'late' : 'purchase',
      transactionId,
      hasTransactionPage: deal.status !== 'cancelled' || deal.paidAt !== null,
      title: deal.terms.title,
      buyerId: deal.buyerId,
      sellerId: deal.sellerId,
      method: payment.method,
      card,
      createdAt: payment.createdAt.toISOString(),
      paidAt: found.state === 'paid' ? (found.paid_at?.toISOString() ?? null) : null,
      currency,
      lines: linesOf(payment, deal),
      total: format(amountMinor),
      received: found.state === 'incomplete' ? format(payment.receivedMinor) : null,
      refunds: refunds.map(show),
      chargebacks: chargebacks.map(show),
      returned: format(back.reduce((sum, { amount_minor: amount }) => sum + BigInt(amount), 0n)),
    }
  }
}

/** The lines of the quote that the payment paid. None for money that paid for nothing, or whose lines do not sum to it. */
function linesOf({ method, amountMinor, currency, unapplied }: PaymentEntity, deal: DealEntity): Receipt['lines'] {
  const { lines, totalMinor } = quoteLines(deal, method)
  return unapplied || currency !== deal.currency || totalMinor !== amountMinor ? [] : lines
}
