import { userUpdated } from '@holdfast/contracts/events'
import type { PublicUser } from '@holdfast/contracts/users'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import type pg from 'pg'

const VERIFY = `UPDATE users SET verification_status = 'approved' WHERE lower(email) = lower($1)
  RETURNING id, first_name AS "firstName", last_name AS "lastName", username, rating, profile_image_url AS "profileImageUrl", clock_timestamp() AS at`

/**
 * Marks a user as verified, and publishes it: other services keep who is verified, because only verified sellers are paid out.
 *
 * @param client has the rights of identity-svc
 * @returns the user's username; null when no user has the e-mail address
 */
export async function verifyUser(client: pg.Client, email: string): Promise<string | null> {
  await client.query('BEGIN')
  try {
    await client.query('SET LOCAL search_path = identity')
    const { rows } = await client.query<Omit<PublicUser, 'isVerified'> & { at: Date }>(VERIFY, [email])
    const [row] = rows
    if (row) {
      const { at, ...user } = row
      await appendToOutbox(
        client as { query(text: string, values?: unknown[]): Promise<unknown> },
        newEvent(userUpdated, user.id, { user: { ...user, isVerified: true } }, at),
      )
    }
    await client.query('COMMIT')
    return row?.username ?? null
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}
