import { userBlocksChanged } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import type { EntityManager } from 'typeorm'

/**
 * Publishes that a user has blocked others, or no longer blocks them, in the dbTx that has changed the rows. The rows are locked since then,
 * so the times of two changes are in their order. Readers keep the latest.
 */
export async function publishBlocks(
  dbTx: EntityManager,
  userId: string,
  blockedIds: readonly string[],
  isBlocked: boolean,
): Promise<void> {
  if (blockedIds.length === 0) return
  const at = await databaseTime(dbTx)
  const change = { userId, blockedIds: [...blockedIds], isBlocked, at: at.toISOString() }
  await appendToOutbox(dbTx, newEvent(userBlocksChanged, userId, change, at))
}

/** Ends all blocks of a user. */
export async function endBlocks(dbTx: EntityManager, userId: string): Promise<void> {
  const [ended]: [{ id: string }[], number] = await dbTx.query(
    'DELETE FROM blocks WHERE blocker_id = $1 RETURNING blocked_id AS id',
    [userId],
  )
  const ids = ended.map(({ id }) => id)
  await publishBlocks(dbTx, userId, ids, false)
}
