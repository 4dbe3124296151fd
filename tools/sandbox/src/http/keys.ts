import { createHash, timingSafeEqual } from 'node:crypto'
import type { SandboxConfig } from '../config.js'
import { StripeError } from './stripe-error.js'

/** `foreign`: the secret key of another platform, which sees none of our objects. */
export type KeyKind = 'secret' | 'publishable' | 'foreign'

/** A key of another platform, as one may land in our configuration by mistake. */
export const FOREIGN_SECRET_KEY = 'sk_test_of_another_platform'

/**
 * Which of our keys a call carries: as a bearer token, as the user name of basic authentication, or, from a browser, as the
 * parameter `key`.
 *
 * @throws StripeError 401 without a key of ours
 */
export function authenticate(config: SandboxConfig, authorization: string | undefined, param: unknown): KeyKind {
  const key = keyOf(authorization) ?? (typeof param === 'string' ? param : undefined)
  if (!key) {
    throw StripeError.unauthenticated(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    )
  }
  if (sameText(key, config.secretKey)) return 'secret'
  if (sameText(key, config.publishableKey)) return 'publishable'
  if (sameText(key, FOREIGN_SECRET_KEY)) return 'foreign'
  throw StripeError.unauthenticated(`Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(8)}`)
}

/** The user name of basic authentication, as the carrier's API takes its key. */
export function basicUser(authorization: string | undefined): string | undefined {
  const match = /^Basic ([\w+/=-]+)$/i.exec(authorization ?? '')
  return match ? Buffer.from(match[1]!, 'base64').toString('utf8').split(':')[0] : undefined
}

/** Compares in a time that does not depend on how much is equal. */
export function sameText(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(left), digest(right))
}

function keyOf(authorization: string | undefined): string | undefined {
  return /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? basicUser(authorization)
}
