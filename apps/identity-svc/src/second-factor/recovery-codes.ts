import { createHash, randomBytes } from 'node:crypto'

/** Crockford's base 32: no letter that looks like a digit, and no U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 80 random bits. They cannot be guessed, so a fast hash is sufficient. */
const LENGTH = 16
const GROUP = 4

/** A new recovery code as a person writes it down: `7K2M-…`, four groups of four. */
export function newRecoveryCode(): string {
  // 32 divides 256, so every letter is equally likely.
  const letters = Array.from(randomBytes(LENGTH), byte => ALPHABET[byte % ALPHABET.length])
  return (letters.join('').match(new RegExp(`.{${GROUP}}`, 'g')) ?? []).join('-')
}

/** The hash that a table keeps. Case, spaces and hyphens do not matter, and neither do letters that were read as digits. */
export function hashOfRecoveryCode(typed: string, userId: string): Buffer {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
  return createHash('sha256').update(`${userId} ${code}`).digest()
}
