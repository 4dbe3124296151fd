import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

const STEP_SECONDS = 30
const LATE_MS = 10_000

/** A code that is typed near the end of its step comes too late, since a busy machine takes seconds. */
export async function awayFromEndOfStep() {
  const leftMs = STEP_SECONDS * 1000 - (Date.now() % (STEP_SECONDS * 1000))
  if (leftMs < LATE_MS) await sleep(leftMs)
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code of an authenticator app, so many steps from now (RFC 6238). */
export function codeOf(secret, steps) {
  const bits = [...secret].map(letter => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from(Array.from(bits.matchAll(/.{8}/g), ([byte]) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1000 / STEP_SECONDS) + steps))
  const hash = createHmac('sha1', key).update(counter).digest()
  const offset = hash[hash.length - 1] & 0xf
  return String((hash.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
}
