import { newId } from '@holdfast/kernel/ids'
import type pg from 'pg'
import { type Command, runCommand } from './command-line.js'

// The timer of identity-svc then ends the sessions and asks escrow-svc, as for a closing that the user has begun.
const BEGIN = `UPDATE users SET closing_id = $2, closing_at = clock_timestamp(), closing_next_at = clock_timestamp(),
    password_version = password_version + 1
  WHERE lower(email) = lower($1) AND closing_id IS NULL AND role <> 'admin' RETURNING id, username`

/**
 * Begins to close a user's account, for a person who has asked by mail and has shown who they are. The act is kept.
 *
 * @returns the user's username; null when no user who is not an admin, and whose account is open, has the e-mail address
 */
export function closeAccount(client: pg.Client, command: Command): Promise<string | null> {
  return runCommand(client, command, async dbTx => {
    const closingId = newId()
    const [row] = (await dbTx.query<{ id: string; username: string }>(BEGIN, [command.email, closingId])).rows
    if (!row) return null
    // The username is not kept: the act stays when the person is erased.
    await dbTx.keep({ act: 'user.close', userId: row.id, before: null, after: { closingId } })
    return row.username
  })
}
