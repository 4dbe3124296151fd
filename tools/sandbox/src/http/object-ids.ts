import { randomFillSync } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Larger bytes are dropped: 256 is not a multiple of 62, so the first letters would be more frequent. */
const UNBIASED_BELOW = 248

// Random bytes are drawn in blocks: one system call per id would cost more than the id.
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
