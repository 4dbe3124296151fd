import type { Currency } from '@holdfast/kernel/money'
import type { Queryable } from '@holdfast/service-kit/database/queryable'
import { account } from '../ledger/domain/journal.js'

/** The part of a deal that is on a seller's balance and in no payout. */
export interface DealShare {
  readonly transactionId: number
  /** Below zero for a chargeback after the deal's money was paid out. */
  readonly amountMinor: bigint
}

// The conditions with LIKE let PostgreSQL use the indexes of sellers' balances.
const POSTINGS = `(
  SELECT entry_id, amount_minor AS amount FROM posting WHERE credit = $1 AND credit LIKE 'seller_payable:%' AND currency = $2
  UNION ALL
  SELECT entry_id, -amount_minor FROM posting WHERE debit = $1 AND debit LIKE 'seller_payable:%' AND currency = $2
) own`

/** A seller's balance in minor units, from the ledger: what was released to them, less payouts and lost chargebacks. */
export async function sellerBalanceOf(database: Queryable, sellerId: string, currency: Currency): Promise<bigint> {
  const [row] = (await database.query(`SELECT coalesce(sum(amount), 0) AS balance FROM ${POSTINGS}`, [
    account.sellerPayable(sellerId),
    currency,
  ])) as { balance: string }[]
  return BigInt(row!.balance)
}

/** A seller's balance, and the deals that make it up. */
export interface SellerShares {
  readonly balanceMinor: bigint
  readonly deals: readonly DealShare[]
}

/**
 * A seller's balance in minor units with the deals that make it up, each with its part. Both are read by one statement, because
 * a chargeback may be posted at any moment. A payout that came back counts as none.
 */
export async function sharesOf(database: Queryable, sellerId: string, currency: Currency): Promise<SellerShares> {
  const rows = (await database.query(
    `WITH own AS (SELECT * FROM ${POSTINGS}), deal AS (
       SELECT e.transaction_id, sum(own.amount) AS amount FROM own JOIN journal_entry e ON e.id = own.entry_id
        WHERE e.transaction_id IS NOT NULL GROUP BY e.transaction_id
     ), carried AS (
       SELECT d.transaction_id, sum(d.amount_minor) AS amount FROM payout o JOIN payout_deal d ON d.payout_id = o.id
        WHERE o.seller_id = $3 AND o.currency = $2 AND o.status <> 'returned' GROUP BY d.transaction_id)
     SELECT total.balance, share.* FROM (SELECT coalesce(sum(amount), 0) AS balance FROM own) total LEFT JOIN (
       SELECT transaction_id, deal.amount - coalesce(carried.amount, 0) AS amount
         FROM deal LEFT JOIN carried USING (transaction_id)
        WHERE deal.amount <> coalesce(carried.amount, 0)) share ON true`,
    [account.sellerPayable(sellerId), currency, sellerId],
  )) as { balance: string; transaction_id: string | null; amount: string }[]
  return {
    balanceMinor: BigInt(rows[0]!.balance),
    deals: rows.flatMap(row =>
      row.transaction_id === null
        ? []
        : [{ transactionId: Number(row.transaction_id), amountMinor: BigInt(row.amount) }],
    ),
  }
}
