import type pg from 'pg'
import { type Command, runCommand } from './command-line.js'

// Whoever has the login of the database's owner can write any row, so a waiting time would protect nothing here.
const MAKE_ADMIN = `UPDATE users u SET role = 'admin', approves_from = least(u.approves_from, clock_timestamp())
  FROM (SELECT id, role, approves_from FROM users WHERE lower(email) = lower($1) FOR UPDATE) was WHERE u.id = was.id
  RETURNING u.id, u.username, was.role, was.approves_from AS "approvedFrom", u.approves_from AS "approvesFrom"`

interface Row {
  readonly id: string
  readonly username: string
  /** The role and the time before. */
  readonly role: string
  readonly approvedFrom: Date | null
  readonly approvesFrom: Date
}

/**
 * Makes a user an admin, whose approvals count at once. It takes effect with their next request, since every session check reads the
 * role. The act is kept, unless nothing changes.
 *
 * @returns the user's username; null when no user has the e-mail address
 */
export function makeAdmin(client: pg.Client, command: Command): Promise<string | null> {
  return runCommand(client, command, async dbTx => {
    const [row] = (await dbTx.query<Row & pg.QueryResultRow>(MAKE_ADMIN, [command.email])).rows
    if (!row) return null
    const { id: userId, username, role, approvedFrom, approvesFrom } = row
    if (role !== 'admin' || approvedFrom?.getTime() !== approvesFrom.getTime()) {
      const [before, after] = [
        { role, approvesFrom: approvedFrom },
        { role: 'admin', approvesFrom },
      ]
      await dbTx.keep({ act: 'user.change_role', userId, before, after })
    }
    return username
  })
}
