import { DomainError } from '@holdfast/kernel/errors'
import type { Queryable } from '@holdfast/service-kit/database/queryable'

/*
 * A deal and a closing of one of its parties cannot cross: whoever opens a deal shares the locks of both parties, and a closing takes the
 * lock of its user alone. Each statement of a dbTx sees what was committed before it, so it reads after the lock what the other has written.
 */
const LOCK_NAME = (id: string) => `account ${id}`
const SHARE = `SELECT pg_advisory_xact_lock_shared(hashtextextended(name, 0)) FROM unnest($1::text[]) name ORDER BY name`
const ALONE = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))'
const CLOSED = 'SELECT user_id AS "userId" FROM closed_user WHERE user_id = ANY($1::uuid[])'

/**
 * Refuses a deal with a user whose account is closed or being closed. A closing of a party waits until this
 * dbTx has ended, and so sees the deal.
 *
 * @param openedBy the user who opens the deal
 * @throws DomainError `COUNTERPARTY_UNAVAILABLE`; `FORBIDDEN` for a user who closes their own account
 */
export async function refuseClosedUsers(dbTx: Queryable, openedBy: string, parties: readonly string[]): Promise<void> {
  await dbTx.query(SHARE, [parties.map(LOCK_NAME)])
  const closed = (await dbTx.query(CLOSED, [parties])) as { userId: string }[]
  if (closed.length === 0) return
  throw new DomainError(closed.some(({ userId }) => userId === openedBy) ? 'FORBIDDEN' : 'COUNTERPARTY_UNAVAILABLE')
}

/** Makes every opening of a deal with the user wait for the end of the dbTx. */
export async function lockAccount(dbTx: Queryable, userId: string): Promise<void> {
  await dbTx.query(ALONE, [LOCK_NAME(userId)])
}
