import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Letters and digits from cryptographic randomness: 24 of them cannot be guessed and do not collide. */
export function randomName(length = 24): string {
  let name = ''
  while (name.length < length) {
    // Bytes from 248 on are thrown away: 256 is no multiple of 62, and the first letters would come up more often.
    for (const byte of randomBytes(length)) if (byte < 248 && name.length < length) name += ALPHABET[byte % 62]
  }
  return name
}

/** An id as the provider writes them: `pi_…`, `ch_…`. */
export const objectId = (prefix: string): string => `${prefix}_${randomName()}`
