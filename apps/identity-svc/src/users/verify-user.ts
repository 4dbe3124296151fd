import { userUpdated } from '@holdfast/contracts/events'
import type { PublicUser } from '@holdfast/contracts/users'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import type pg from 'pg'
import { type Command, runCommand } from './command-line.js'

const VERIFY = `UPDATE users u SET verification_status = 'approved'
  FROM (SELECT id, verification_status AS status FROM users WHERE lower(email) = lower($1) FOR UPDATE) was WHERE u.id = was.id
  RETURNING u.id, first_name AS "firstName", last_name AS "lastName", username, rating, profile_image_url AS "profileImageUrl",
    clock_timestamp() AS at, was.status`

type Row = Omit<PublicUser, 'isVerified'> & { readonly at: Date; readonly status: string }

/**
 * Marks a user as verified, and publishes it: other services keep who is verified, because only verified sellers are paid out. The
 * act is kept, unless the user was verified already.
 *
 * @returns the user's username; null when no user has the e-mail address
 */
export function verifyUser(client: pg.Client, command: Command): Promise<string | null> {
  return runCommand(client, command, async dbTx => {
    const [row] = (await dbTx.query<Row & pg.QueryResultRow>(VERIFY, [command.email])).rows
    if (!row) return null
    const { at, status, ...user } = row
    await appendToOutbox(dbTx, newEvent(userUpdated, user.id, { user: { ...user, isVerified: true } }, at))
    const [before, after] = [{ verificationStatus: status }, { verificationStatus: 'approved' }]
    if (status !== 'approved') await dbTx.keep({ act: 'user.verify', userId: user.id, before, after })
    return user.username
  })
}
