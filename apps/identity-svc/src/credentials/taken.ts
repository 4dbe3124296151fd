import { DomainError, ERROR_MESSAGES } from '@holdfast/kernel/errors'
import type { Queryable } from '@holdfast/service-kit/database/queryable'
import { QueryFailedError } from 'typeorm'

/** The refusals name the field, so that a form can show the message beside it. */
export const emailTaken = () => new DomainError('EMAIL_TAKEN', { fields: { email: ERROR_MESSAGES.EMAIL_TAKEN } })
export const usernameTaken = () =>
  new DomainError('USERNAME_TAKEN', { fields: { username: ERROR_MESSAGES.USERNAME_TAKEN } })

/**
 * Whether a user has this username or one that looks like it (`username_look` in the migration), or somebody has given such a username up.
 * The database refuses these in any case, by an index and a trigger. This refuses them before the expensive hash of a password.
 */
export async function isUsernameTaken(dbTx: Queryable, username: string): Promise<boolean> {
  const found = (await dbTx.query(ALIKE, [username])) as unknown[]
  return found.length > 0
}

const ALIKE = `SELECT FROM users WHERE username_look(username) = username_look($1)
  UNION ALL SELECT FROM given_up_username WHERE name_hash = username_hash($1)`

/** The refusals by the name of the unique index, or of the trigger, in the migrations. */
const REFUSALS: Readonly<Record<string, () => DomainError>> = {
  users_email_key: emailTaken,
  users_username_key: usernameTaken,
  users_username_look_key: usernameTaken,
  given_up_username: usernameTaken,
}

/** The refusal for a violated unique index; null for any other error. */
export function takenFieldOf(error: unknown): DomainError | null {
  if (!(error instanceof QueryFailedError)) return null
  const { constraint } = error.driverError as { constraint?: string }
  return REFUSALS[constraint ?? '']?.() ?? null
}
