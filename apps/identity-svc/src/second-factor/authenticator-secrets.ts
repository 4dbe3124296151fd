import { randomBytes } from 'node:crypto'
import type { WrappedKey } from '@holdfast/encryption/key-ring'
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
    if (keyId === this.currentKeyId) return { sealed, keyId, wrappedKey }
    const again = this.rewrap({ keyId, wrapped: wrappedKey }, userId)
    return { sealed, keyId: again.keyId, wrappedKey: again.wrapped }
  }

  get currentKeyId(): string {
    return this.config.ENCRYPTION_KEYS.current
  }

  /** The same data key, wrapped with the current master key. @throws CannotOpen, UnknownMasterKey */
  rewrap(stored: WrappedKey, userId: string): WrappedKey {
    return this.config.ENCRYPTION_KEYS.rewrap(stored, contextOf(userId))
  }
}

const contextOf = (userId: string) => `authenticator:${userId}`
