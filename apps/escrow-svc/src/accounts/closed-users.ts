import { DomainError } from '@holdfast/kernel/errors'
import type { Queryable } from '@holdfast/service-kit/database/queryable'

/*
 * No deal is opened, no Premium begun and no card saved while the account of its user is being closed. A dbTx that opens a deal takes the
 * shared locks of both parties, one that begins Premium or saves a card that of the user, and a closing the exclusive lock of its user.
 * Each statement of a dbTx sees what was committed before it, so after the lock it reads what the other has written.
 */
const LOCK_NAME = (id: string) => `account ${id}`
const SHARE = `SELECT pg_advisory_xact_lock_shared(hashtextextended(name, 0)) FROM unnest($1::text[]) name ORDER BY name`
const ALONE = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))'
const CLOSED = 'SELECT user_id AS "userId" FROM closed_user WHERE user_id = ANY($1::uuid[])'
const CLOSED_FOR_EVER = 'SELECT FROM closed_user WHERE user_id = $1 AND closed_at IS NOT NULL'

/**
 * Refuses what would go on for a user whose account is closed or being closed: a deal, Premium, a saved card. A closing waits until
 * this dbTx has ended, and so sees what it has written.
 *
 * @param openedBy the user who asks for it
 * @param parties the users for whom it would go on
 * @throws DomainError `COUNTERPARTY_UNAVAILABLE`; `FORBIDDEN` for a user who closes their own account
 */
export async function refuseClosedUsers(dbTx: Queryable, openedBy: string, parties: readonly string[]): Promise<void> {
  await dbTx.query(SHARE, [parties.map(LOCK_NAME)])
  const closed = (await dbTx.query(CLOSED, [parties])) as { userId: string }[]
  if (closed.length === 0) return
  throw new DomainError(closed.some(({ userId }) => userId === openedBy) ? 'FORBIDDEN' : 'COUNTERPARTY_UNAVAILABLE')
}

/**
 * Whether the account of the user is closed for ever. A closing waits until this dbTx has ended, so nothing that is written for an open
 * account is written after its erasure.
 */
export async function isClosedForEver(dbTx: Queryable, userId: string): Promise<boolean> {
  await dbTx.query(SHARE, [[LOCK_NAME(userId)]])
  return ((await dbTx.query(CLOSED_FOR_EVER, [userId])) as unknown[]).length > 0
}

/** Makes whatever would begin for the user wait for the end of the dbTx. */
export async function lockAccount(dbTx: Queryable, userId: string): Promise<void> {
  await dbTx.query(ALONE, [LOCK_NAME(userId)])
}
