import { DomainError, ERROR_MESSAGES } from '@holdfast/kernel/errors'
import type { Queryable } from '@holdfast/service-kit/database/queryable'
import { type EntityManager, QueryFailedError } from 'typeorm'
import { usersWith } from '../users/users-with.js'

/** The refusals name the field, so that a form can show the message beside it. */
export const emailTaken = () => new DomainError('EMAIL_TAKEN', { fields: { email: ERROR_MESSAGES.EMAIL_TAKEN } })
export const usernameTaken = () =>
  new DomainError('USERNAME_TAKEN', { fields: { username: ERROR_MESSAGES.USERNAME_TAKEN } })

/** Whether a user has this username, or a closed account had it. */
export const isUsernameTaken = async (manager: EntityManager, username: string): Promise<boolean> =>
  (await usersWith(manager, 'username', username).getExists()) || wasOfClosedAccount(manager, username)

/** Whether a closed account had this username. Nobody gets it again, since others may remember it. */
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

const CLOSED = `SELECT FROM closed_username WHERE name_hash = sha256(convert_to(lower($1), 'UTF8'))`

/** The refusals by the name of the unique index in the migration. */
const REFUSALS: Readonly<Record<string, () => DomainError>> = {
  users_email_key: emailTaken,
  users_username_key: usernameTaken,
}

/** The refusal for a violated unique index; null for any other error. */
export function takenFieldOf(error: unknown): DomainError | null {
  if (!(error instanceof QueryFailedError)) return null
  const { constraint } = error.driverError as { constraint?: string }
  return REFUSALS[constraint ?? '']?.() ?? null
}
