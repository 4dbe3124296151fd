import type { PublicUser } from '@holdfast/contracts/users'
import { searchText } from '@holdfast/kernel/search-text'

/** Whether each word of a text begins a word of a person's name or username. Case and accents do not matter. */
export function isNamed({ firstName, lastName, username }: PublicUser, text: string): boolean {
  const wanted = searchText(text).split(' ').filter(Boolean)
  const names = searchText(`${firstName} ${lastName} ${username}`).split(' ')
  return wanted.length > 0 && wanted.every(word => names.some(name => name.startsWith(word)))
}
