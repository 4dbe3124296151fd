import type pg from 'pg'

// Who has the login of the database's owner could write any row, so waiting would protect nothing here.
const MAKE_ADMIN = `UPDATE identity.users SET role = 'admin', approves_from = least(approves_from, clock_timestamp())
  WHERE lower(email) = lower($1) RETURNING username`

/**
 * Makes a user an admin, whose approvals count at once. It takes effect with their next request, since every session check reads the
 * role.
 *
 * @returns the user's username; null when no user has the e-mail address
 */
export async function makeAdmin(client: pg.Client, email: string): Promise<string | null> {
  const { rows } = await client.query<{ username: string }>(MAKE_ADMIN, [email])
  return rows[0]?.username ?? null
}
