import type { HistoryLine, receiptRoutes } from '@holdfast/contracts/receipts'
import type { Parsed } from '@holdfast/contracts/route'
import { type Currency, formatAmount } from '@holdfast/kernel/money'
import type { PaymentMethod } from '@holdfast/kernel/payments'
import type { HistoryKind, HistoryState } from '@holdfast/kernel/receipts'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { z } from 'zod'
import { CHARGEBACK_ID, CHARGEBACK_STATE, PAYMENT_IS_SHOWN, PAYMENT_STATE, REFUND_STATE } from './states.js'

type Query = Parsed<typeof receiptRoutes.listPayments>['query']

interface Row {
  readonly id: string
  readonly kind: HistoryKind
  readonly state: HistoryState
  readonly payment_id: string
  readonly transaction_id: string
  readonly title: string
  readonly method: PaymentMethod
  readonly card_brand: string | null
  readonly card_last4: string | null
  readonly amount_minor: string
  readonly fees_minor: string
  readonly currency: Currency
  readonly at: Date
}

/** What a user paid, what came back, and what their bank took back. */
@Injectable()
export class HistoryService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** A page of a user's history, newest first. */
  async list(userId: string, { limit, before, transactionId }: Query): Promise<z.input<typeof HistoryLine>[]> {
    const values = [userId, before ?? null, transactionId ?? null, limit]
    const rows: Row[] = await this.dataSource.query(PAGE, values)
    return rows.map(row => ({
      id: row.id,
      kind: row.kind,
      state: row.state,
      paymentId: row.payment_id,
      transactionId: Number(row.transaction_id),
      title: row.title,
      method: row.method,
      card: row.card_brand && row.card_last4 ? { brand: row.card_brand, last4: row.card_last4 } : null,
      amount: formatAmount(BigInt(row.amount_minor), row.currency),
      fees: formatAmount(BigInt(row.fees_minor), row.currency),
      currency: row.currency,
      at: row.at.toISOString(),
    }))
  }
}

/** The statement of each part of the list of a user's payments: $1 user, $2 the last id of the page before, $3 a deal or null, $4 the limit. */
const OWN = 'p.user_id = $1 AND ($3::bigint IS NULL OR p.transaction_id = $3)'
const newestOf = (id: string) => `AND ($2::uuid IS NULL OR ${id} < $2) ORDER BY ${id} DESC LIMIT $4`

const PAYMENTS = `SELECT p.id, 'payment' AS kind, ${PAYMENT_STATE} AS state, p.id AS payment_id, p.currency, p.created_at AS at,
    CASE p.status WHEN 'open' THEN p.received_minor ELSE p.amount_minor END AS amount_minor
  FROM payment p WHERE ${OWN} AND ${PAYMENT_IS_SHOWN} ${newestOf('p.id')}`

const REFUNDS = `SELECT r.id, 'refund' AS kind, ${REFUND_STATE} AS state, p.id AS payment_id, r.currency, r.created_at AS at, r.amount_minor
  FROM payment p JOIN refund r ON r.payment_id = p.id WHERE ${OWN} ${newestOf('r.id')}`

const CHARGEBACKS = `SELECT * FROM (
    SELECT ${CHARGEBACK_ID} AS id, 'chargeback' AS kind, ${CHARGEBACK_STATE} AS state, p.id AS payment_id, c.currency, c.created_at AS at,
      c.amount_minor
    FROM payment p JOIN chargeback c ON c.payment_id = p.id WHERE ${OWN}) c WHERE true ${newestOf('c.id')}`

const PAGE = `SELECT m.*, p.transaction_id, p.method, p.card_brand, p.card_last4, t.title,
    CASE WHEN m.kind = 'payment' AND p.status <> 'open' AND NOT p.unapplied AND p.currency = t.currency
      THEN greatest(p.amount_minor - t.price_minor, 0) ELSE 0 END AS fees_minor
  FROM ((${PAYMENTS}) UNION ALL (${REFUNDS}) UNION ALL (${CHARGEBACKS})) m
  JOIN payment p ON p.id = m.payment_id JOIN transaction t ON t.id = p.transaction_id
  ORDER BY m.id DESC LIMIT $4`
