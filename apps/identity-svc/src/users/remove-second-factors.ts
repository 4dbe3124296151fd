import { userSessionsEnded } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { queueMail } from '@holdfast/mail/queue-mail'
import type pg from 'pg'
import { endPendingChanges } from '../credentials/pending-changes.js'
import { factorMail } from '../second-factor/factor-mail.js'
import { FACTOR_TABLES } from '../second-factor/factor-tables.js'
import { type Command, type IdentityTx, runCommand } from './command-line.js'

const FIND = 'SELECT id, username, email FROM users WHERE lower(email) = lower($1) FOR UPDATE'
const END_SESSIONS = `UPDATE sessions SET revoked_at = clock_timestamp()
  WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > clock_timestamp() RETURNING id`

interface Row {
  readonly id: string
  readonly username: string
  readonly email: string
}

/**
 * Removes every second factor of a user, ends their sessions, sign-ins and a waiting change of the address, and mails them. The password stays. The act is kept, unless
 * there was no second factor.
 *
 * @returns the user's username; null when no user has the e-mail address
 */
export function removeSecondFactors(client: pg.Client, command: Command): Promise<string | null> {
  return runCommand(client, command, async dbTx => {
    const [user] = (await dbTx.query<Row & pg.QueryResultRow>(FIND, [command.email])).rows
    if (!user) return null
    const removed: Record<string, number> = {}
    for (const table of FACTOR_TABLES) {
      removed[table] = (await dbTx.query(`DELETE FROM ${table} WHERE user_id = $1`, [user.id])).rowCount ?? 0
    }
    const { authenticator = 0, passkey = 0, recovery_code: recoveryCodes = 0 } = removed
    if (authenticator + passkey + recoveryCodes === 0) return user.username
    await endSessions(dbTx, user.id)
    await endPendingChanges(dbTx, user.id)
    await queueMail(dbTx, factorMail(user, 'all_removed'))
    const before = { authenticator, passkeys: passkey, recoveryCodes }
    await dbTx.keep({ act: 'user.remove_second_factors', userId: user.id, before, after: null })
    return user.username
  })
}

/** As `SessionsService.endAll`: the event ends the event streams of the sessions. */
async function endSessions(dbTx: IdentityTx, userId: string): Promise<void> {
  const sessionIds = (await dbTx.query<{ id: string }>(END_SESSIONS, [userId])).rows.map(({ id }) => id)
  if (sessionIds.length === 0) return
  const [time] = (await dbTx.query<{ at: Date }>('SELECT clock_timestamp() AS at')).rows
  await appendToOutbox(dbTx, newEvent(userSessionsEnded, userId, { sessionIds }, time!.at))
}
