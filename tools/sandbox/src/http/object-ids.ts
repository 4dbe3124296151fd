import { randomFillSync } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Bytes from here on are thrown away: 256 is no multiple of 62, and the first letters would come up more often. */
const UNBIASED_BELOW = 248

// Randomness is drawn a block at a time: one call into the system per id costs more than the id.
const pool = new Uint8Array(4_096)
let cursor = pool.length

/** Letters and digits from cryptographic randomness: 24 of them cannot be guessed and do not collide. */
export function randomName(length = 24): string {
  let name = ''
  while (name.length < length) {
    if (cursor === pool.length) {
      randomFillSync(pool)
      cursor = 0
    }
    const byte = pool[cursor++]!
    if (byte < UNBIASED_BELOW) name += ALPHABET[byte % ALPHABET.length]
  }
  return name
}

/** An id as the provider writes them: `pi_…`, `ch_…`. */
export const objectId = (prefix: string): string => `${prefix}_${randomName()}`
