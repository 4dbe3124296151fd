import type { EntityManager } from 'typeorm'

/** SQL: those of some disputes whose deal waits for the decision of the buyer's bank. */
export const WITH_BANK = `SELECT d.id AS dispute_id FROM dispute d
  JOIN bank_decision b ON b.transaction_id = d.transaction_id WHERE d.id = ANY($1) AND b.pending_since IS NOT NULL`

/** Whether the buyer's bank decides about the deal of a dispute. */
export async function isWithBank(manager: EntityManager, disputeId: number): Promise<boolean> {
  return ((await manager.query(WITH_BANK, [[disputeId]])) as unknown[]).length > 0
}
