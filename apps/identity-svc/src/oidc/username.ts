import { USERNAME_PATTERN } from '@holdfast/kernel/username'
import { isReservedUsername } from '@holdfast/names/names'

/** Leaves room for the number of a second person of the same name. */
const MAX_BASE_LENGTH = 24
const NAMELESS = 'member'

/**
 * A username for a person whose provider gives only a name: 'ana.ruiz'. It is not made of the e-mail address, because a username is public.
 */
export function usernameFrom(firstName: string, lastName: string): string {
  const words = [firstName, lastName].map(word =>
    word
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]/g, ''),
  )
  const username = words.filter(Boolean).join('.').slice(0, MAX_BASE_LENGTH).replace(/\.$/, '')
  return USERNAME_PATTERN.test(username) && !isReservedUsername(username) ? username : NAMELESS
}
