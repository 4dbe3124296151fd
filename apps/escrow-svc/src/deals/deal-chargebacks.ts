import type { SettledChargeback } from '@holdfast/contracts/transactions'
import type { TimelineKind } from '@holdfast/kernel/deals'
import { type Currency, formatAmount } from '@holdfast/kernel/money'
import { type ChargebackProgress, MAX_CHARGEBACKS_SHOWN } from '@holdfast/kernel/payments'
import type { Queryable } from '@holdfast/service-kit/database/queryable'
import type { z } from 'zod'
import { account } from '../ledger/domain/journal.js'

/** The chargebacks of a deal that are at the same point: open, won or lost. */
export interface ChargebacksOfDeal {
  readonly transactionId: number
  readonly title: string
  readonly view: z.input<typeof SettledChargeback>
  /** What the bank has paid in place of a refund of ours that was not sent, in minor units. */
  readonly inPlaceOfRefundMinor: bigint
}

interface Row {
  readonly transaction_id: string
  readonly title: string
  readonly currency: Currency
  readonly progress: ChargebackProgress
  readonly amount: string
  readonly from_seller: string
  readonly in_place_of_refund: string
  readonly since: Date
}

/**
 * A chargeback of a stray payment is left out, because the deal never had that money. One in another currency is left out, because an
 * operator decides about it. What a lost one took from the seller is read from the ledger, less what came back of all chargebacks of the deal.
 * What an open one would take is what `bearersOf` takes from the seller of a deal that holds nothing.
 */
const chargebacksWhere = (condition: string) => `
  SELECT t.id AS transaction_id, t.title, t.currency, c.progress, c.amount, c.since, CASE c.progress
      WHEN 'open' THEN least(c.amount, t.released_minor)
      WHEN 'lost' THEN (SELECT coalesce(sum(CASE e.kind WHEN 'chargeback_lost' THEN p.amount_minor ELSE -p.amount_minor END), 0)
         FROM journal_entry e JOIN posting p ON p.entry_id = e.id
        WHERE e.transaction_id = t.id AND e.kind IN ('chargeback_lost', 'chargeback_returned')
          AND 'seller_payable:' || t.seller_id IN (p.debit, p.credit))
      ELSE 0 END AS from_seller,
    (SELECT coalesce(sum(CASE p.debit WHEN 'refund_due:' || t.id THEN p.amount_minor ELSE -p.amount_minor END), 0)
       FROM journal_entry e JOIN posting p ON p.entry_id = e.id
      WHERE e.transaction_id = t.id AND e.kind = 'refund_paid_otherwise' AND 'refund_due:' || t.id IN (p.debit, p.credit)) AS in_place_of_refund
    FROM transaction t CROSS JOIN LATERAL (
      SELECT progress, sum(amount_minor) AS amount, CASE progress WHEN 'open' THEN min(created_at) ELSE max(updated_at) END AS since
        FROM (SELECT *, CASE WHEN status IN ('won', 'lost') THEN status ELSE 'open' END AS progress FROM chargeback
               WHERE transaction_id = t.id AND payment_id = t.settled_payment_id AND currency = t.currency) own
       GROUP BY progress) c
   WHERE t.hold_minor = 0 AND ${condition}`

/** Whether a step of a deal's history is about a chargeback. */
export const isAboutChargeback = (kind: TimelineKind): boolean => kind.startsWith('chargeback')

/** What the parties of deals that hold nothing any more must know about chargebacks: of each deal what is open, else lost, else won. */
export async function chargebacksOf(
  database: Queryable,
  ids: readonly number[],
): Promise<Map<number, ChargebacksOfDeal>> {
  if (ids.length === 0) return new Map()
  const found = await rowsOf(
    database,
    `SELECT DISTINCT ON (transaction_id) * FROM (${chargebacksWhere('t.id = ANY($1::bigint[])')}) c
      ORDER BY transaction_id, array_position(ARRAY['open', 'lost', 'won'], progress)`,
    [ids],
  )
  return new Map(found.map(each => [each.transactionId, each]))
}

/** The deals about which a bank decides: few of all deals. The condition is the one of the index `chargeback_undecided`. */
const UNDECIDED = `SELECT transaction_id FROM chargeback WHERE status IN ('inquiry', 'open')`

/**
 * $1 the seller's account, $2 currency, $3 seller: the deals about whose payment a bank decides, each with what the seller loses when it
 * decides for the buyer (`from_seller`). A payout leaves this on the seller's balance.
 */
export const AT_RISK = `SELECT transaction_id, from_seller FROM (
  ${chargebacksWhere(`t.seller_id = $3 AND t.currency = $2 AND t.id IN (${UNDECIDED})`)}) c WHERE progress = 'open' AND from_seller > 0`

/**
 * $1 the seller's account, $2 currency, $3 seller. Few chargebacks of all deals are undecided, and the seller's own postings name those
 * that were lost. So neither the seller's other deals nor other sellers' chargebacks are read. The condition with LIKE lets PostgreSQL use
 * the index of sellers' balances.
 */
const OF_SELLER = `t.seller_id = $3 AND t.currency = $2 AND t.id IN (${UNDECIDED}
  UNION ALL SELECT e.transaction_id FROM posting p JOIN journal_entry e ON e.id = p.entry_id
   WHERE p.debit = $1 AND p.debit LIKE 'seller_payable:%' AND e.kind = 'chargeback_lost')`

/** The chargebacks that have taken from a seller's balance, or may do so. The latest comes first. */
export const chargebacksOfSeller = (database: Queryable, sellerId: string, currency: Currency) =>
  rowsOf(
    database,
    `SELECT * FROM (${chargebacksWhere(OF_SELLER)} OFFSET 0) c
      WHERE c.from_seller > 0 ORDER BY since DESC, transaction_id DESC LIMIT ${MAX_CHARGEBACKS_SHOWN}`,
    [account.sellerPayable(sellerId), currency, sellerId],
  )

async function rowsOf(database: Queryable, sql: string, values: unknown[]): Promise<ChargebacksOfDeal[]> {
  const rows = (await database.query(sql, values)) as Row[]
  return rows.map(row => ({
    transactionId: Number(row.transaction_id),
    title: row.title,
    inPlaceOfRefundMinor: BigInt(row.in_place_of_refund),
    view: {
      status: row.progress,
      amount: formatAmount(BigInt(row.amount), row.currency),
      fromSeller: formatAmount(BigInt(row.from_seller), row.currency),
      since: row.since.toISOString(),
    },
  }))
}
