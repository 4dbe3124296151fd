import { MAX_OBSTACLES, type Obstacle } from '@holdfast/contracts/account'
import type { Queryable } from '@holdfast/service-kit/database/queryable'

const OPEN = `SELECT id::float8 AS "disputeId", transaction_id::float8 AS "transactionId" FROM dispute
  WHERE (buyer_id = $1 OR seller_id = $1 OR reporter_id = $1) AND status <> 'closed' AND step <> 'refused' ORDER BY id LIMIT $2`

/** The disputes of a user that are not closed. Their deals are not finished either, so escrow-svc finds them when it decides. */
export async function obstaclesOf(database: Queryable, userId: string): Promise<Obstacle[]> {
  const rows = (await database.query(OPEN, [userId, MAX_OBSTACLES])) as Omit<Obstacle, 'kind'>[]
  return rows.map(row => ({ ...row, kind: 'open_dispute' }))
}
