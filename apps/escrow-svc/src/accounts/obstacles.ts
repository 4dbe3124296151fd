import { MAX_OBSTACLES, type Obstacle } from '@holdfast/contracts/account'
import { type Currency, DEAL_CURRENCY } from '@holdfast/kernel/money'
import type { Queryable } from '@holdfast/service-kit/database/queryable'
import { UNFINISHED_PAYOUTS } from '../payouts/payout-metrics.js'
import { sellerBalanceOf } from '../payouts/seller-balance.js'

/**
 * $1 the user, $2 how many of each kind. A refund that failed is still owed. What a buyer has paid for a finished deal goes back, too: it
 * counts from the moment at which the money is seen, as long as the crypto processor is asked about it. A transfer that is only expected
 * does not count, because it is not known whether it comes.
 */
const FIND = `
  WITH own AS (
    SELECT id, status FROM transaction WHERE buyer_id = $1 UNION SELECT id, status FROM transaction WHERE seller_id = $1
  )
  (SELECT 'open_deal' AS kind, id::float8 AS "transactionId" FROM own
    WHERE status NOT IN ('released', 'completed', 'cancelled') ORDER BY id LIMIT $2)
  UNION ALL
  (SELECT DISTINCT 'open_chargeback', own.id::float8 FROM own JOIN chargeback c ON c.transaction_id = own.id
    WHERE c.status IN ('inquiry', 'open') LIMIT $2)
  UNION ALL
  (SELECT 'refund_due', id::float8 FROM (
    SELECT own.id FROM own JOIN refund r ON r.transaction_id = own.id WHERE r.status IN ('due', 'sent', 'failed')
    UNION
    SELECT own.id FROM own JOIN payment p ON p.transaction_id = own.id AND p.user_id = $1
      LEFT JOIN crypto_payment c ON c.payment_id = p.id
    WHERE own.status IN ('released', 'completed', 'cancelled') AND (p.status = 'processing' OR c.ask_due_at IS NOT NULL AND EXISTS (
      SELECT FROM jsonb_array_elements(c.transfers) moving
      WHERE moving -> 'isConfirmed' = 'false' OR moving #> '{goesBack,isSent}' = 'false'))
  ) back LIMIT $2)
  UNION ALL
  (SELECT 'payout_under_way', NULL FROM payout WHERE seller_id = $1 AND ${UNFINISHED_PAYOUTS} LIMIT 1)`

/** What stands in the way of closing the account of a user: open deals first. */
export async function obstaclesOf(database: Queryable, userId: string): Promise<Obstacle[]> {
  const rows = (await database.query(FIND, [userId, MAX_OBSTACLES])) as Omit<Obstacle, 'disputeId'>[]
  const found = rows.map(row => ({ ...row, disputeId: null }))
  const balance = await balanceOf(database, userId, DEAL_CURRENCY)
  return [...found, ...balance].slice(0, MAX_OBSTACLES)
}

async function balanceOf(database: Queryable, userId: string, currency: Currency): Promise<Obstacle[]> {
  const { balanceMinor } = await sellerBalanceOf(database, userId, currency)
  if (balanceMinor === 0n) return []
  return [{ kind: balanceMinor > 0n ? 'balance' : 'negative_balance', transactionId: null, disputeId: null }]
}
