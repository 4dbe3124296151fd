import { randomBytes } from 'node:crypto'
import { rewrapSome, type StoredKeys } from '@holdfast/encryption/rewrap'
import type { Queryable } from '@holdfast/service-kit/database/queryable'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import type { IdentityConfig } from '../config.js'
import { SECRET_BYTES } from './app-codes.js'

/** An encrypted secret as a row keeps it. */
export interface SealedSecret {
  readonly sealed: Buffer
  readonly keyId: string
  readonly wrappedKey: Buffer
}

/** Encrypts the secrets of authenticator apps. Each has a data key of its own, and the encryption is bound to its user. */
@Injectable()
export class AuthenticatorSecrets {
  constructor(@Inject(CONFIG) private readonly config: IdentityConfig) {}

  /** A new secret, and the form in which it is stored. */
  make(userId: string): { readonly secret: Buffer; readonly stored: SealedSecret } {
    const secret = randomBytes(SECRET_BYTES)
    const { key, stored } = this.config.ENCRYPTION_KEYS.newDataKey(contextOf(userId))
    const sealed = key.seal(secret, contextOf(userId))
    return { secret, stored: { sealed, keyId: stored.keyId, wrappedKey: stored.wrapped } }
  }

  /** @throws CannotOpen, UnknownMasterKey */
  open({ sealed, keyId, wrappedKey }: SealedSecret, userId: string): Buffer {
    const key = this.config.ENCRYPTION_KEYS.unwrap({ keyId, wrapped: wrappedKey }, contextOf(userId))
    return key.open(sealed, contextOf(userId))
  }

  /** The same secret, its data key wrapped with the current master key. @throws CannotOpen, UnknownMasterKey */
  withCurrentKey({ sealed, keyId, wrappedKey }: SealedSecret, userId: string): SealedSecret {
    const ring = this.config.ENCRYPTION_KEYS
    const stored = { keyId, wrapped: wrappedKey }
    if (ring.isCurrent(stored)) return { sealed, keyId, wrappedKey }
    const again = ring.rewrap(stored, contextOf(userId))
    return { sealed, keyId: again.keyId, wrappedKey: again.wrapped }
  }

  /**
   * Wraps at most `limit` keys of apps again, which are not wrapped with the current master key.
   *
   * @returns how many there were @throws CannotOpen, UnknownMasterKey
   */
  rewrapSome(dbTx: Queryable, limit: number): Promise<number> {
    return rewrapSome(dbTx, this.config.ENCRYPTION_KEYS, STORED_KEYS, limit)
  }
}

const contextOf = (userId: string) => `authenticator:${userId}`

const STORED_KEYS: StoredKeys = {
  find: `SELECT user_id AS id, key_id AS "keyId", wrapped_key AS wrapped FROM authenticator
    WHERE key_id <> $1 ORDER BY user_id LIMIT $2 FOR UPDATE SKIP LOCKED`,
  replace: 'UPDATE authenticator SET key_id = $2, wrapped_key = $3 WHERE user_id = $1',
  contextOf,
}
