import type { Currency } from '@holdfast/kernel/money'
import type { Queryable } from '@holdfast/service-kit/database/queryable'
import { AT_RISK } from '../deals/deal-chargebacks.js'
import { account } from '../ledger/domain/journal.js'

/** The part of a deal that is on a seller's balance, in no payout, and about which no bank decides. */
export interface DealShare {
  readonly transactionId: number
  /** Below zero when the deal's money was paid out before the chargeback. */
  readonly amountMinor: bigint
}

// The conditions with LIKE let PostgreSQL use the indexes of sellers' balances.
const POSTINGS = `(
  SELECT entry_id, amount_minor AS amount FROM posting WHERE credit = $1 AND credit LIKE 'seller_payable:%' AND currency = $2
  UNION ALL
  SELECT entry_id, -amount_minor FROM posting WHERE debit = $1 AND debit LIKE 'seller_payable:%' AND currency = $2
) own`

/** A seller's balance, in minor units. */
export interface SellerBalance {
  /** From the ledger: what was released to them, less payouts and lost chargebacks. */
  readonly balanceMinor: bigint
  /** The balance less what the seller loses when every bank that still decides does so for the buyer. Only this is paid out. */
  readonly payableMinor: bigint
}

const TOTAL = `(SELECT (SELECT coalesce(sum(amount), 0) FROM own) AS balance, (SELECT coalesce(sum(from_seller), 0) FROM at_risk) AS at_risk) total`

/** A seller's balance. Both amounts are read by one statement, because a chargeback may be opened or posted at any moment. */
export async function sellerBalanceOf(
  database: Queryable,
  sellerId: string,
  currency: Currency,
): Promise<SellerBalance> {
  const [row] = (await database.query(
    `WITH own AS (SELECT * FROM ${POSTINGS}), at_risk AS (${AT_RISK}) SELECT total.* FROM ${TOTAL}`,
    [account.sellerPayable(sellerId), currency, sellerId],
  )) as TotalRow[]
  return toBalance(row!)
}

/** A seller's balance, and the deals that make up what can be paid out of it. */
export interface SellerShares extends SellerBalance {
  readonly deals: readonly DealShare[]
}

/**
 * A seller's balance with the deals that make up what can be paid out of it, each with its part. All of it is read by one statement. A
 * payout that came back counts as none.
 */
export async function sharesOf(database: Queryable, sellerId: string, currency: Currency): Promise<SellerShares> {
  const rows = (await database.query(
    `WITH own AS (SELECT * FROM ${POSTINGS}), at_risk AS (${AT_RISK}), deal AS (
       SELECT e.transaction_id, sum(own.amount) AS amount FROM own JOIN journal_entry e ON e.id = own.entry_id
        WHERE e.transaction_id IS NOT NULL GROUP BY e.transaction_id
     ), carried AS (
       SELECT d.transaction_id, sum(d.amount_minor) AS amount FROM payout o JOIN payout_deal d ON d.payout_id = o.id
        WHERE o.seller_id = $3 AND o.currency = $2 AND o.status <> 'returned' GROUP BY d.transaction_id)
     SELECT total.*, share.* FROM ${TOTAL} LEFT JOIN (
       SELECT transaction_id, deal.amount - coalesce(carried.amount, 0) - coalesce(from_seller, 0) AS amount
         FROM deal LEFT JOIN carried USING (transaction_id) LEFT JOIN at_risk USING (transaction_id)) share ON share.amount <> 0`,
    [account.sellerPayable(sellerId), currency, sellerId],
  )) as (TotalRow & { transaction_id: string | null; amount: string })[]
  return {
    ...toBalance(rows[0]!),
    deals: rows.flatMap(row =>
      row.transaction_id === null
        ? []
        : [{ transactionId: Number(row.transaction_id), amountMinor: BigInt(row.amount) }],
    ),
  }
}

interface TotalRow {
  readonly balance: string
  readonly at_risk: string
}

const toBalance = ({ balance, at_risk }: TotalRow): SellerBalance => ({
  balanceMinor: BigInt(balance),
  payableMinor: BigInt(balance) - BigInt(at_risk),
})
