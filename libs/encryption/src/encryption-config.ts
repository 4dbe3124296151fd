import { z } from 'zod'
import { KeyRing } from './key-ring.js'

/** The id of the key that the launcher makes for a machine at home. */
const HOME_KEY_ID = 'home'

/** The environment variable of a service that encrypts what it stores. */
export const encryptionShape = {
  /** The master keys, the current one first: `id:key,id:key` (see KeyRing.parse). */
  ENCRYPTION_KEYS: z.string().transform((text, context) => {
    try {
      return KeyRing.parse(text)
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
      return z.NEVER
    }
  }),
}

/** The part of a configuration that code which encrypts reads. */
export interface EncryptionConfig {
  readonly ENCRYPTION_KEYS: KeyRing
}

/** What is wrong with well-formed keys: in production, none may be the one that was made at home. */
export const encryptionRefusals = ({
  NODE_ENV,
  ENCRYPTION_KEYS,
}: EncryptionConfig & { readonly NODE_ENV: string }) => ({
  ENCRYPTION_KEYS:
    NODE_ENV === 'production' && ENCRYPTION_KEYS.ids.includes(HOME_KEY_ID)
      ? `must not have a key with the id "${HOME_KEY_ID}" in production: it was made on a developer's machine`
      : undefined,
})
