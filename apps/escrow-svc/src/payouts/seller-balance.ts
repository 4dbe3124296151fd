import type { Currency } from '@holdfast/kernel/money'
import { account } from '../ledger/domain/journal.js'

/** Anything that runs SQL. */
interface Queryable {
  query(text: string, values: unknown[]): Promise<unknown>
}

/** What of a deal is on a seller's balance and in no payout. */
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
export async function balanceOf(database: Queryable, sellerId: string, currency: Currency): Promise<bigint> {
  const [row] = (await database.query(`SELECT coalesce(sum(amount), 0) AS balance FROM ${POSTINGS}`, [
    account.sellerPayable(sellerId),
    currency,
  ])) as { balance: string }[]
  return BigInt(row!.balance)
}

/** The deals that make up a seller's balance, each with its part. A payout that came back counts as none. */
export async function dealsOf(database: Queryable, sellerId: string, currency: Currency): Promise<DealShare[]> {
  const rows = (await database.query(
    `SELECT deal.transaction_id, deal.amount - coalesce(carried.amount, 0) AS amount FROM (
       SELECT e.transaction_id, sum(own.amount) AS amount FROM ${POSTINGS} JOIN journal_entry e ON e.id = own.entry_id
        WHERE e.transaction_id IS NOT NULL GROUP BY e.transaction_id) deal
     LEFT JOIN (
       SELECT d.transaction_id, sum(d.amount_minor) AS amount FROM payout o JOIN payout_deal d ON d.payout_id = o.id
        WHERE o.seller_id = $3 AND o.currency = $2 AND o.status <> 'returned' GROUP BY d.transaction_id) carried
       USING (transaction_id)
     WHERE deal.amount <> coalesce(carried.amount, 0)`,
    [account.sellerPayable(sellerId), currency, sellerId],
  )) as { transaction_id: string; amount: string }[]
  return rows.map(row => ({ transactionId: Number(row.transaction_id), amountMinor: BigInt(row.amount) }))
}
