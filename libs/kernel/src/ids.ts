/**
 * UUID version 7 (RFC 9562): time-ordered, so that an index on it grows at its end.
 *
 * @param nowMs milliseconds since the epoch; they are the first 48 bits of the id
 * @param random ten bytes of cryptographic randomness, given by the caller so that this library stays free of I/O
 */
export function uuidv7From(nowMs: number, random: Uint8Array): string {
  const bytes = new Uint8Array(16)
  for (let i = 5, rest = nowMs; i >= 0; i--, rest = Math.floor(rest / 256)) bytes[i] = rest % 256
  bytes.set(random.subarray(0, 10), 6)
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  let text = ''
  for (let i = 0; i < 16; i++) text += (i === 4 || i === 6 || i === 8 || i === 10 ? '-' : '') + HEX[bytes[i]!]
  return text
}

const HEX = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'))

/** UUIDv7 strings as routes accept them. */
export const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
/** The same anywhere in a text. */
export const UUIDS_IN_TEXT = new RegExp(UUID_PATTERN.source.slice(1, -1), 'g')

/**
 * Makes a UUIDv7. Each id of a process is greater than the one before, also within a millisecond, so rows sorted by id
 * are in the order in which they were written. The 12 bits after the time are a counter (RFC 9562 section 6.2, method 1).
 */
export function newId(nowMs: number = Date.now()): string {
  if (cursor + RANDOM_BYTES > pool.length) {
    globalThis.crypto.getRandomValues(pool)
    cursor = 0
  }
  const random = pool.subarray(cursor, cursor + RANDOM_BYTES)
  cursor += RANDOM_BYTES
  if (nowMs > lastMs) {
    lastMs = nowMs
    // A start in the lower half leaves room to count without borrowing from the next millisecond.
    counter = ((random[0]! << 8) | random[1]!) & 0x07ff
  } else if (++counter > 0x0fff) {
    lastMs++
    counter = 0
  }
  random[0] = counter >> 8
  random[1] = counter & 0xff
  return uuidv7From(lastMs, random)
}

const RANDOM_BYTES = 10
// Randomness is drawn a block at a time: one call into the system per id costs more than the id. `globalThis.crypto` is
// the Web Crypto API that browsers and Node share.
const pool = new Uint8Array(RANDOM_BYTES * 256)
let cursor = pool.length
let lastMs = 0
let counter = 0
