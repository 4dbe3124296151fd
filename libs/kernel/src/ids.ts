/**
 * UUID version 7 (RFC 9562): time-ordered, so that an index on it grows at its end.
 *
 * @param nowMs milliseconds since the epoch; its 48 bits open the id
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

/** Makes a UUIDv7. `globalThis.crypto` is the Web Crypto API that browsers and Node share. */
export function newId(nowMs: number = Date.now()): string {
  if (cursor + 10 > pool.length) {
    globalThis.crypto.getRandomValues(pool)
    cursor = 0
  }
  const id = uuidv7From(nowMs, pool.subarray(cursor, cursor + 10))
  cursor += 10
  return id
}

// Randomness is drawn a block at a time: one call into the system per id costs more than the id.
const pool = new Uint8Array(10 * 256)
let cursor = pool.length
