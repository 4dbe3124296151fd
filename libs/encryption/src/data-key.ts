import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { assert } from '@holdfast/kernel/assert'

const CIPHER = 'aes-256-gcm'
export const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** The first byte of everything sealed. A later release that seals in another way writes another number. */
const FORMAT = 1
const HEADER_BYTES = 1 + NONCE_BYTES

/** Sealed bytes cannot be opened: they were changed, they belong to another context, or another key sealed them. */
export class CannotOpen extends Error {
  override readonly name = 'CannotOpen'
}

/**
 * A key for AES-256-GCM (NIST SP 800-38D). One key must seal at most 2³² times, because its nonces are random: so each deal
 * and each document has a key of its own.
 */
export class DataKey {
  private constructor(private readonly bytes: Buffer) {}

  static random(): DataKey {
    return new DataKey(randomBytes(KEY_BYTES))
  }

  static of(bytes: Buffer): DataKey {
    assert(bytes.byteLength === KEY_BYTES, 'a key has 32 bytes')
    return new DataKey(bytes)
  }

  /**
   * Encrypts bytes. `context` says whose they are, for example `deal:42`. It is not secret and is not stored: `open` needs the same
   * text, so that sealed bytes that were copied to another row cannot be opened there.
   *
   * @returns format (1 byte), nonce (12), ciphertext (as long as the input), tag (16)
   */
  seal(plain: Uint8Array, context: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.bytes, nonce, { authTagLength: TAG_BYTES })
    cipher.setAAD(Buffer.from(context))
    return Buffer.concat([Buffer.of(FORMAT), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  }

  /**
   * Decrypts what `seal` returned for the same context.
   *
   * @throws CannotOpen
   */
  open(sealed: Uint8Array, context: string): Buffer {
    if (sealed.byteLength < HEADER_BYTES + TAG_BYTES || sealed[0] !== FORMAT) throw new CannotOpen('not sealed bytes')
    const nonce = sealed.subarray(1, HEADER_BYTES)
    const decipher = createDecipheriv(CIPHER, this.bytes, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(context))
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
    const plain = decipher.update(sealed.subarray(HEADER_BYTES, -TAG_BYTES))
    try {
      return Buffer.concat([plain, decipher.final()])
    } catch (cause) {
      throw new CannotOpen('changed, of another context, or sealed with another key', { cause })
    }
  }

  /**
   * A keyed hash of a text (HMAC-SHA256, base64url): equal for equal texts, and of no use for guessing them without the key. The key of
   * the hash is derived from this one (HKDF, RFC 5869), so that one key serves one purpose.
   */
  fingerprint(text: string): string {
    const derived = Buffer.from(hkdfSync('sha256', this.bytes, '', 'fingerprint', KEY_BYTES))
    return createHmac('sha256', derived).update(text).digest('base64url')
  }

  /** The key itself, for the key ring that wraps it. */
  export(): Buffer {
    return this.bytes
  }
}
