import { lockUntilCommit } from '@holdfast/service-kit/database/lock-until-commit'
import type { EntityManager } from 'typeorm'

/** SQL: of the given disputes, the ids of those whose deal waits for the buyer's bank. */
export const WITH_BANK = `SELECT d.id AS dispute_id FROM dispute d
  JOIN bank_decision b ON b.transaction_id = d.transaction_id WHERE d.id = ANY($1) AND b.pending_since IS NOT NULL`

/** Whether the buyer's bank decides about the deal of a dispute. */
export async function isWithBank(manager: EntityManager, disputeId: number): Promise<boolean> {
  return (await manager.query<unknown[]>(WITH_BANK, [[disputeId]])).length > 0
}

/**
 * Makes what opens a dispute and what learns about the bank of the same deal wait for each other until the end of the dbTx. Otherwise
 * the one would not see what the other has not committed yet: time limits would run while the bank decides, or never go on.
 *
 * It comes before every lock of a dispute, so that two dbTxs never wait for each other.
 */
export async function lockBankOf(manager: EntityManager, transactionId: number): Promise<void> {
  await lockUntilCommit(manager, `bank of deal ${transactionId}`)
}
