import type pg from 'pg'

const MAKE_ADMIN = `UPDATE identity.users SET role = 'admin' WHERE lower(email) = lower($1) RETURNING username`

/**
 * Makes a user an admin, from their next request on: roles are read with every session check.
 *
 * @returns their username; null when nobody has the e-mail address
 */
export async function makeAdmin(client: pg.Client, email: string): Promise<string | null> {
  const { rows } = await client.query<{ username: string }>(MAKE_ADMIN, [email])
  return rows[0]?.username ?? null
}
