/**
 * The reads of the money path. Commands that wait while a statement is running share the next one. Each read returns the
 * database's time with the deal, because what is due is judged by it.
 */
import type { Currency } from '@holdfast/kernel/money'
import type {
  ChargebackStatus,
  PaymentMethod,
  PaymentStatus,
  RefundOrigin,
  RefundStatus,
} from '@holdfast/kernel/payments'
import { BatchStatement, type Columns, type Row } from '@holdfast/service-kit/database/batch-statement'
import type { IdempotencyKey } from '@holdfast/service-kit/idempotency/idempotency'
import { DEAL_COLUMNS, type DealRow } from './deal-row.js'

/** Reads a deal by its id, and the answer that was kept for an idempotency key. */
export interface ReadById {
  readonly id: number
  readonly key: IdempotencyKey | null
}
export interface RowById extends DealRow {
  input_hash: Buffer | null
  answer: unknown
}
export const READ_BY_ID = new BatchStatement<ReadById>(
  'deal_by_id',
  part => `SELECT ${DEAL_COLUMNS}, i.input_hash, i.answer
  FROM ${part.rows(
    'k',
    { id: 'bigint', user_id: 'uuid', route: 'text', key: 'text' },
    ({ id, key }) => [{ id, user_id: key?.userId ?? null, route: key?.route ?? null, key: key?.key ?? null }],
    true,
  )}
  LEFT JOIN escrow.transaction t ON t.id = k.id
  LEFT JOIN escrow.idempotency_key i ON i.user_id = k.user_id AND i.route = k.route AND i.key = k.key
  ORDER BY k.nth`,
)

/** Reads the deal that a payment intent pays for, its payment, and whether the webhook event was handled before. */
export interface ReadByIntent {
  readonly intentId: string
  readonly eventId: string
}
export interface RowByIntent extends DealRow {
  payment_id: string
  payment_status: PaymentStatus
  payment_method: PaymentMethod
  payment_minor: bigint
  payment_currency: Currency
  stray: boolean
  handled_event: string | null
}

/** What a read by intent returns besides the deal, the payment and the event. Its joins may use the payment as `p`. */
interface More<R, C extends Columns> {
  readonly keys: C
  readonly keysOf: (read: R) => Row<C>
  readonly columns: string
  readonly joins: string
}

const readByIntent = <R extends ReadByIntent, C extends Columns>(name: string, more?: More<R, C>) =>
  new BatchStatement<R>(
    name,
    part => `SELECT ${DEAL_COLUMNS}, p.id AS payment_id, p.status AS payment_status, p.method AS payment_method, p.stray,
    p.amount_minor AS payment_minor, p.currency AS payment_currency, w.id AS handled_event${more ? `, ${more.columns}` : ''}
  FROM ${part.rows(
    'k',
    { intent_id: 'text', event_id: 'text', ...more?.keys },
    read => [{ intent_id: read.intentId, event_id: read.eventId, ...more?.keysOf(read) }],
    true,
  )}
  LEFT JOIN escrow.payment p ON p.intent_id = k.intent_id
  LEFT JOIN escrow.transaction t ON t.id = p.transaction_id
  LEFT JOIN escrow.webhook_event w ON w.id = k.event_id
  ${more?.joins ?? ''}
  ORDER BY k.nth`,
  )

export const READ_BY_INTENT = readByIntent<ReadByIntent, Columns>('deal_by_intent')

/** Reads the deal of a payment, and a chargeback of that payment. */
export interface ReadByChargeback extends ReadByIntent {
  readonly chargebackId: string
}
export interface RowByChargeback extends RowByIntent {
  chargeback_status: ChargebackStatus | null
  chargeback_withdrawn: boolean | null
  chargeback_payment_id: string | null
  chargeback_minor: bigint | null
  chargeback_currency: string | null
  chargeback_as_of: Date | null
  chargeback_updated_at: Date | null
  from_hold: bigint
  from_seller: bigint
  from_revenue: bigint
  lost_minor: bigint
  adjusted_minor: bigint
}
const lossOf = (bearer: string) =>
  `coalesce(sum(amount) FILTER (WHERE bearer = '${bearer}'), 0)::bigint AS from_${bearer}`
export const READ_BY_CHARGEBACK = readByIntent('deal_by_chargeback', {
  keys: { chargeback_id: 'text' },
  keysOf: ({ chargebackId }: ReadByChargeback) => ({ chargeback_id: chargebackId }),
  columns: `c.status AS chargeback_status, c.withdrawn AS chargeback_withdrawn, c.payment_id AS chargeback_payment_id,
    c.amount_minor AS chargeback_minor, c.currency AS chargeback_currency, c.as_of AS chargeback_as_of,
    c.updated_at AS chargeback_updated_at, loss.from_hold, loss.from_seller, loss.from_revenue, loss.lost_minor, adjusted.adjusted_minor`,
  joins: `LEFT JOIN escrow.chargeback c ON c.id = k.chargeback_id
  CROSS JOIN LATERAL (
    SELECT ${['hold', 'seller', 'revenue'].map(lossOf).join(', ')}, (SELECT coalesce(sum(amount_minor), 0)::bigint FROM escrow.chargeback
        WHERE transaction_id = t.id AND payment_id = t.settled_payment_id AND status = 'lost' AND withdrawn) AS lost_minor
      FROM (SELECT CASE WHEN 'hold:' || t.id IN (debit, credit) THEN 'hold' WHEN 'seller_payable:' || t.seller_id IN (debit, credit) THEN 'seller'
              WHEN 'revenue' IN (debit, credit) THEN 'revenue' END AS bearer,
              CASE e.kind WHEN 'chargeback_lost' THEN amount_minor ELSE -amount_minor END AS amount
            FROM escrow.journal_entry e JOIN escrow.posting ON entry_id = e.id
           WHERE e.transaction_id = t.id AND e.kind IN ('chargeback_lost', 'chargeback_returned')) own) loss
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(CASE credit WHEN 'seller_payable:' || t.seller_id THEN amount_minor ELSE -amount_minor END), 0)::bigint AS adjusted_minor
      FROM escrow.posting JOIN escrow.journal_entry a ON a.id = entry_id AND a.kind = 'adjustment'
     WHERE (credit = 'seller_payable:' || t.seller_id OR debit = 'seller_payable:' || t.seller_id) AND c.status = 'lost' AND a.at >= (
       SELECT min(at) FROM escrow.journal_entry WHERE transaction_id = t.id AND kind = 'chargeback_lost')) adjusted`,
})

/**
 * What the buyer has got of a payment `p`, or is owed, besides a refund: by lost chargebacks, by refunds of ours, and by refunds made by
 * hand that are confirmed or that we owe again. One that was made by hand and is under way may still fail.
 *
 * @param refund the refund's id, in SQL
 */
export const givenBackBesides = (refund: string) => `(SELECT coalesce(sum(amount_minor), 0) FROM (
    SELECT amount_minor FROM escrow.chargeback WHERE payment_id = p.id AND status = 'lost' AND withdrawn
    UNION ALL
    SELECT amount_minor FROM escrow.refund WHERE payment_id = p.id AND id IS DISTINCT FROM ${refund} AND status <> 'void'
       AND (origin = 'us' OR status <> 'sent' OR send_attempt > 1)
  ) given)`

/** Reads the deal of a payment, a refund of that payment by the provider's id, and our own refund of it. */
export interface ReadByRefund extends ReadByIntent {
  readonly providerRefundId: string
}
export interface RowByRefund extends RowByIntent {
  refund_id: string | null
  refund_status: RefundStatus | null
  refund_origin: RefundOrigin | null
  refund_payment_id: string | null
  refund_minor: bigint | null
  refund_sent_again: boolean | null
  is_failed_attempt: boolean
  left_minor: bigint
  taken_minor: bigint
  own_refund_id: string | null
  own_refund_status: RefundStatus | null
  own_refund_minor: bigint | null
}
export const READ_BY_REFUND = readByIntent('deal_by_refund', {
  keys: { refund_id: 'text' },
  keysOf: ({ providerRefundId }: ReadByRefund) => ({ refund_id: providerRefundId }),
  columns: `r.id AS refund_id, r.status AS refund_status, r.origin AS refund_origin,
    r.payment_id AS refund_payment_id, r.amount_minor AS refund_minor, r.send_attempt > 1 AS refund_sent_again,
    EXISTS (SELECT FROM escrow.refund WHERE payment_id = p.id AND k.refund_id = ANY (failed_provider_ids)) AS is_failed_attempt,
    (p.amount_minor - ${givenBackBesides('r.id')})::bigint AS left_minor, taken.taken_minor,
    o.id AS own_refund_id, o.status AS own_refund_status, o.amount_minor AS own_refund_minor`,
  joins: `LEFT JOIN escrow.refund r ON r.provider_refund_id = k.refund_id
  LEFT JOIN escrow.refund o ON o.payment_id = p.id AND o.origin = 'us'
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(CASE l.credit WHEN 'provider_costs' THEN l.amount_minor ELSE -l.amount_minor END), 0)::bigint AS taken_minor
      FROM escrow.journal_entry e JOIN escrow.posting l ON l.entry_id = e.id
     WHERE e.transaction_id = t.id AND e.kind = 'refund_paid_otherwise'
       AND CASE WHEN p.stray THEN 'unapplied:' || p.id ELSE 'refund_due:' || t.id END IN (l.debit, l.credit)) taken`,
})
