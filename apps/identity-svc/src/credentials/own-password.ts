import { type DomainError, invalidFields } from '@holdfast/kernel/errors'
import type { User } from '../users/user.entity.js'

type WithVersion = Pick<User, 'passwordVersion'>

/** The refusal of a signed-in user's password that is not theirs. @param field that the user typed it into */
export const notYourPassword = (field: string): DomainError => invalidFields({ [field]: 'This is not your password' })

/**
 * Refuses, in the dbTx of a step that needs the password, when the password was changed since it was checked, for example with a mailed
 * link.
 *
 * @param user locked
 * @param checked what the check has found
 * @throws DomainError `VALIDATION_FAILED` naming `currentPassword`
 */
export function refuseChangedPassword(user: WithVersion, checked: WithVersion): void {
  if (user.passwordVersion !== checked.passwordVersion) throw notYourPassword('currentPassword')
}
