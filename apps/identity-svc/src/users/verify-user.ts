import type pg from 'pg'
import { type Decision, writeDecision } from '../verification/decide-verification.js'
import { type Command, runCommand } from './command-line.js'

const LOCK = `SELECT id, first_name AS "firstName", last_name AS "lastName", username, rating,
    profile_image_url AS "profileImageUrl", verification_status AS status,
    email_confirmed_at IS NOT NULL AS "emailConfirmed", taken_over_at AS "takenOverAt"
  FROM users WHERE lower(email) = lower($1) AND closing_id IS NULL FOR UPDATE`

type Row = Omit<Decision['user'], 'takenOverAt'> & { readonly status: string; readonly takenOverAt: Date | null }

/**
 * Marks a user as verified, and publishes it: other services keep who is verified, because only verified sellers are paid out. A
 * submission of the user that waits is approved. It does nothing when the user was verified already.
 *
 * @returns the user's username; null when no user whose account is open has the e-mail address
 */
export function verifyUser(client: pg.Client, command: Command): Promise<string | null> {
  return runCommand(client, command, async dbTx => {
    const [row] = (await dbTx.query<Row & pg.QueryResultRow>(LOCK, [command.email])).rows
    if (!row) return null
    const { status, takenOverAt, ...facts } = row
    const user = { ...facts, takenOverAt: takenOverAt?.toISOString() ?? null }
    if (status === 'approved') return user.username
    // Read after the lock, so that the times of two decisions are in the order of the decisions.
    const [time] = (await dbTx.query<{ at: Date }>('SELECT clock_timestamp() AS at')).rows
    const { reason } = command
    await writeDecision(dbTx, { user, decision: 'approved', reason, decidedBy: null, at: time!.at })
    const [before, after] = [{ verificationStatus: status }, { verificationStatus: 'approved' }]
    await dbTx.keep({ act: 'user.verify', userId: user.id, before, after })
    return user.username
  })
}
