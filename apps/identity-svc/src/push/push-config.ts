import { createECDH } from 'node:crypto'
import { z } from 'zod'

const P256_KEY_BYTES = 32

/** The pair of keys with which push messages are signed (VAPID, RFC 8292), both in base64url. */
export interface VapidKeys {
  readonly publicKey: string
  readonly privateKey: string
}

/** @throws Error when the text is no private key of P-256 */
function keysOf(privateKey: string): VapidKeys {
  const bytes = Buffer.from(privateKey, 'base64url')
  const ecdh = createECDH('prime256v1')
  if (bytes.byteLength !== P256_KEY_BYTES) throw new Error('must be 32 bytes in base64url')
  ecdh.setPrivateKey(bytes)
  return { publicKey: ecdh.getPublicKey().toString('base64url'), privateKey: bytes.toString('base64url') }
}

export const pushShape = {
  /** The private key; the public one follows from it. With another key every browser must be switched on again. */
  VAPID_PRIVATE_KEY: z.string().transform((text, context) => {
    try {
      return keysOf(text)
    } catch (error) {
      context.addIssue(error instanceof Error ? error.message : 'must be a private key of P-256')
      return z.NEVER
    }
  }),
  /** Origins of push services besides those of the browsers, separated by commas: at home that of the sandbox. */
  PUSH_SERVICES: z
    .string()
    .default('')
    .transform(text => text.split(',').flatMap(part => (part.trim() ? [part.trim()] : [])))
    .pipe(z.array(z.url({ protocol: /^https?$/ }).transform(url => new URL(url).origin))),
}

export interface PushConfig {
  readonly VAPID_PRIVATE_KEY: VapidKeys
  readonly PUSH_SERVICES: readonly string[]
  /** The address at which a push service reports faults. */
  readonly SUPPORT_EMAIL: string
}

/** What is wrong with well-formed variables: in production nothing is sent in plain text. */
export const pushRefusals = ({ NODE_ENV, PUSH_SERVICES }: PushConfig & { readonly NODE_ENV: string }) => ({
  PUSH_SERVICES:
    NODE_ENV === 'production' && PUSH_SERVICES.some(origin => !origin.startsWith('https:'))
      ? 'must be https in production'
      : undefined,
})
