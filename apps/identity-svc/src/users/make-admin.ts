import type pg from 'pg'

const MAKE_ADMIN = `UPDATE identity.users SET role = 'admin' WHERE lower(email) = lower($1) RETURNING username`

/**
 * Makes a user an admin. It takes effect with their next request, since every session check reads the role.
 *
 * @returns the user's username; null when no user has the e-mail address
 */
export async function makeAdmin(client: pg.Client, email: string): Promise<string | null> {
  const { rows } = await client.query<{ username: string }>(MAKE_ADMIN, [email])
  return rows[0]?.username ?? null
}
