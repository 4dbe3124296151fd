import { MIN_PASSWORD_LENGTH } from '@holdfast/kernel/users'
import type { Judged } from './password-score.js'

/** zxcvbn's scores go from 0 to 4. A password with a lower score than this is found within about a million guesses. */
const LOWEST_SCORE = 2
/** Only the beginning is judged: the time grows with the length. */
const JUDGED_CHARACTERS = 32
/** Shorter parts of a name or an address are ignored, because many good passwords contain them. */
const MIN_OWN_LENGTH = 3

export const TOO_COMMON = 'Too easy to guess: choose a longer or less common password'
export const OWN_DATA = 'Must not be made of your name, username or email'

/** What a password should not be made of. */
export interface OwnData {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly username: string
}

/**
 * What is wrong with a new password, as a message for its field; null when nothing is. It is refused when it is little more than
 * the person's own data, or when zxcvbn judges that a guesser would soon try it.
 *
 * @param scoreOf gives zxcvbn's score, from 0 to 4
 */
export async function weaknessOf(
  password: string,
  own: OwnData,
  scoreOf: (judged: Judged) => number | Promise<number>,
): Promise<string | null> {
  const words = ownWords(own)
  if (withoutWords(password.toLowerCase(), words).length < MIN_PASSWORD_LENGTH / 2 && hasAny(password, words))
    return OWN_DATA
  const judged = { password: password.slice(0, JUDGED_CHARACTERS), words: [...words, 'holdfast'] }
  return (await scoreOf(judged)) < LOWEST_SCORE ? TOO_COMMON : null
}

/** The person's data and their parts, the longest first. */
function ownWords({ email, firstName, lastName, username }: OwnData): string[] {
  const whole = [email, firstName, lastName, username].map(word => word.toLowerCase())
  const parts = whole.flatMap(word => word.split(/[^\p{L}\p{N}]+/u))
  return [...new Set([...whole, ...parts])]
    .filter(word => word.length >= MIN_OWN_LENGTH)
    .sort((a, b) => b.length - a.length)
}

const hasAny = (password: string, words: readonly string[]) => words.some(word => password.toLowerCase().includes(word))

const withoutWords = (password: string, words: readonly string[]) =>
  words.reduce((rest, word) => rest.replaceAll(word, ''), password)
