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
export const isSuspended = (userId: string) =>
  `EXISTS (SELECT FROM suspension u WHERE u.user_id = ${userId} AND u.is_suspended)`

/** Refuses what would charge a suspended user again. Call it after `refuseClosedUsers`, whose lock a suspension waits for. @throws DomainError `FORBIDDEN` */
export async function refuseSuspended(dbTx: Queryable, userId: string): Promise<void> {
  const [row] = (await dbTx.query(`SELECT ${isSuspended('$1')} AS suspended`, [userId])) as { suspended: boolean }[]
  if (row?.suspended) throw new DomainError('FORBIDDEN')
}

/** Premium of suspended users: it is cancelled as its user would do it. */
@Injectable()
export class SuspensionsService {
  /**
   * Lets the timer cancel the subscription of a user who was suspended: nothing more is charged, and the period that is paid stays theirs. When
   * the suspension ends before the timer has come, it goes on; afterwards its user decides whether to resume it.
   */
  async keep({ userId, isSuspended, at }: PayloadOf<typeof userSuspensionChanged>, dbTx: EntityManager): Promise<void> {
    // A request that begins Premium at this moment comes before, and its row is found here, or is refused.
    await lockAccount(dbTx, userId)
    const kept: unknown[] = await dbTx.query(KEEP, [userId, isSuspended, at])
    if (kept.length > 0) await dbTx.query(isSuspended ? CANCEL : GO_ON, [userId])
  }
}
