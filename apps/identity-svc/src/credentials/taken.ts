import { DomainError, ERROR_MESSAGES } from '@holdfast/kernel/errors'
import { QueryFailedError } from 'typeorm'

/** The refusals name the field, so that a form can show the message beside it. */
export const emailTaken = () => new DomainError('EMAIL_TAKEN', { fields: { email: ERROR_MESSAGES.EMAIL_TAKEN } })
export const usernameTaken = () =>
  new DomainError('USERNAME_TAKEN', { fields: { username: ERROR_MESSAGES.USERNAME_TAKEN } })

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
