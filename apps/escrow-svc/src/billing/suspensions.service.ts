import type { PayloadOf, userSuspensionChanged } from '@holdfast/contracts/events'
import { DomainError } from '@holdfast/kernel/errors'
import type { Queryable } from '@holdfast/service-kit/database/queryable'
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'
import { lockAccount } from '../accounts/closed-users.js'

// An event that is replayed after a fault can be older than what is kept.
const KEEP = `INSERT INTO suspension (user_id, is_suspended, at) VALUES ($1, $2, $3)
  ON CONFLICT (user_id) DO UPDATE SET is_suspended = excluded.is_suspended, at = excluded.at WHERE suspension.at < excluded.at
  RETURNING user_id`
const CANCEL = `UPDATE subscription SET cancel_reason = coalesce(cancel_reason, 'suspension'), due_at = clock_timestamp(), updated_at = clock_timestamp()
  WHERE user_id = $1 AND status <> 'ended'`
const GO_ON = `UPDATE subscription SET cancel_reason = NULL, updated_at = clock_timestamp()
  WHERE user_id = $1 AND cancel_reason = 'suspension' AND status <> 'ended'`
/** The condition that a user, named by an expression, is suspended. */
export const userIsSuspended = (userId: string) =>
  `EXISTS (SELECT FROM suspension u WHERE u.user_id = ${userId} AND u.is_suspended)`

/**
 * Refuses what would charge a suspended user again. Call it after `refuseClosedUsers`, whose lock keeps a suspension waiting until then.
 *
 * @throws DomainError `FORBIDDEN`
 */
export async function refuseSuspended(dbTx: Queryable, userId: string): Promise<void> {
  const [row] = (await dbTx.query(`SELECT ${userIsSuspended('$1')} AS suspended`, [userId])) as { suspended: boolean }[]
  if (row?.suspended) throw new DomainError('FORBIDDEN')
}

/** Cancels Premium of suspended users, as they would cancel it themselves. */
@Injectable()
export class SuspensionsService {
  /**
   * Lets the timer cancel the subscription of a user who was suspended: nothing more is charged, and the period that is paid stays theirs. When
   * the suspension ends before the timer has cancelled it, the subscription goes on. Afterwards its user decides whether to resume it.
   */
  async keep({ userId, isSuspended, at }: PayloadOf<typeof userSuspensionChanged>, dbTx: EntityManager): Promise<void> {
    // A request that begins Premium at this moment either has the lock first, and its row is cancelled here, or is refused.
    await lockAccount(dbTx, userId)
    const kept: unknown[] = await dbTx.query(KEEP, [userId, isSuspended, at])
    if (kept.length > 0) await dbTx.query(isSuspended ? CANCEL : GO_ON, [userId])
  }
}
