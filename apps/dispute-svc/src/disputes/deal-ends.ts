import type { EntityManager } from 'typeorm'

/** How escrow has ended the disputes of a deal. */
export interface DealEnd {
  readonly transactionId: number
  /** The time of escrow's event. */
  readonly at: Date
  /** The resolution of the disputes when the deal was cancelled; null when the deal goes on. */
  readonly cancelled: string | null
}

/**
 * Records an end. Afterwards no message about an earlier freeze opens a dispute, however late it arrives.
 *
 * @param manager the dbTx of the event. Until it ends, no dispute of the deal changes
 */
export async function recordEnd(manager: EntityManager, { transactionId, at, cancelled }: DealEnd): Promise<void> {
  // A filing that escrow has answered meanwhile is opened before this end, or finds it.
  await manager.query('SELECT FROM dispute WHERE transaction_id = $1 ORDER BY id FOR UPDATE', [transactionId])
  await manager.query(
    `INSERT INTO deal_end (transaction_id, ended_at, cancelled) VALUES ($1, $2, $3)
     ON CONFLICT (transaction_id) DO UPDATE SET ended_at = greatest(deal_end.ended_at, excluded.ended_at),
       cancelled = coalesce(deal_end.cancelled, excluded.cancelled)`,
    [transactionId, at, cancelled],
  )
}

/** The resolution with which the disputes of a cancelled deal have ended; null when it is not cancelled. */
export async function findCancelled(manager: EntityManager, transactionId: number): Promise<string | null> {
  const rows: { cancelled: string | null }[] = await manager.query(
    'SELECT cancelled FROM deal_end WHERE transaction_id = $1',
    [transactionId],
  )
  return rows[0]?.cancelled ?? null
}

/** A condition of SQL: escrow has not ended what was frozen at a time. */
export const notEnded = (transactionId: string, frozenAt: string): string =>
  `NOT EXISTS (SELECT FROM deal_end WHERE transaction_id = ${transactionId} AND (ended_at >= ${frozenAt} OR cancelled IS NOT NULL))`
