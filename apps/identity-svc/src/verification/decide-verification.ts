import { type PayloadOf, userUpdated, userVerificationDecided } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import type { VerificationDecision } from '@holdfast/kernel/users'
import type { Queryable } from '@holdfast/service-kit/database/queryable'

/** Who decided what. */
export interface Decision {
  readonly user: Omit<PayloadOf<typeof userUpdated>['user'], 'isVerified'>
  readonly decision: VerificationDecision
  /** The user reads the reason of a rejection. */
  readonly reason: string
  /** The admin; null for a command of the command line. */
  readonly decidedBy: string | null
  /** The database's time, read while the user's row is locked. */
  readonly at: Date
}

/**
 * What it means that a user is verified, or not: their status, the end of the submission that waits, and the events. The console and the
 * command line both decide with it. The caller has locked the user's row.
 */
export async function writeDecision(
  dbTx: Queryable,
  { user, decision, reason, decidedBy, at }: Decision,
): Promise<void> {
  const shown = decision === 'rejected' ? reason : null
  await dbTx.query('UPDATE users SET verification_status = $2, verification_reason = $3 WHERE id = $1', [
    user.id,
    decision,
    shown,
  ])
  await dbTx.query(
    `UPDATE verification SET state = $2, reason = $3, decided_by = $4, decided_at = $5
     WHERE user_id = $1 AND state = 'submitted'`,
    [user.id, decision, reason, decidedBy, at],
  )
  await appendToOutbox(
    dbTx,
    newEvent(userUpdated, user.id, { user: { ...user, isVerified: decision === 'approved' } }, at),
  )
  const facts = { userId: user.id, decision, reason: shown, at: at.toISOString() }
  await appendToOutbox(dbTx, newEvent(userVerificationDecided, user.id, facts, at))
}
