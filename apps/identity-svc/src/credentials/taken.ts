import { DomainError, ERROR_MESSAGES } from '@holdfast/kernel/errors'
import type { Queryable } from '@holdfast/service-kit/database/queryable'
import { QueryFailedError } from 'typeorm'

/** The refusals name the field, so that a form can show the message beside it. */
export const emailTaken = () => new DomainError('EMAIL_TAKEN', { fields: { email: ERROR_MESSAGES.EMAIL_TAKEN } })
export const usernameTaken = () =>
  new DomainError('USERNAME_TAKEN', { fields: { username: ERROR_MESSAGES.USERNAME_TAKEN } })

/** Whether a user has this username or one that looks like it (`username_look` in the migration), or a closed account had it. */
export async function isUsernameTaken(dbTx: Queryable, username: string): Promise<boolean> {
  const found = (await dbTx.query(ALIKE, [username])) as unknown[]
  return found.length > 0 || wasOfClosedAccount(dbTx, username)
}

/** Whether a closed account had this username or one that looks like it. Nobody gets it again, since others may remember it. */
async function wasOfClosedAccount(dbTx: Queryable, username: string): Promise<boolean> {
  const found = (await dbTx.query(CLOSED, [username])) as unknown[]
  return found.length > 0
}

/**
 * Refuses the username of a closed account. It is called after the row with the username was written: a closing
 * at the same moment is then either found here, or waited for by the unique index.
 *
 * @throws DomainError `USERNAME_TAKEN`
 */
export async function refuseClosedUsername(dbTx: Queryable, username: string): Promise<void> {
  if (await wasOfClosedAccount(dbTx, username)) throw usernameTaken()
}

// The second condition is that of the index.
const ALIKE = `SELECT FROM users WHERE username_look(username) = username_look($1) AND (alike_username IS NULL OR alike_username <> username)`
// Accounts that were closed by an earlier release left the hash of the username itself.
const CLOSED = `SELECT FROM closed_username
  WHERE name_hash IN (sha256(convert_to(username_look($1), 'UTF8')), sha256(convert_to(lower($1), 'UTF8')))`

/** The refusals by the name of the unique index in the migrations. */
const REFUSALS: Readonly<Record<string, () => DomainError>> = {
  users_email_key: emailTaken,
  users_username_key: usernameTaken,
  users_username_look_key: usernameTaken,
}

/** The refusal for a violated unique index; null for any other error. */
export function takenFieldOf(error: unknown): DomainError | null {
  if (!(error instanceof QueryFailedError)) return null
  const { constraint } = error.driverError as { constraint?: string }
  return REFUSALS[constraint ?? '']?.() ?? null
}
