import { APP_CODE_DIGITS, APP_CODE_SECONDS, APP_CODE_STEPS_OFF, isAppCode } from '@holdfast/kernel/second-factors'
import { Secret, TOTP } from 'otpauth'

/** 160 bits, as RFC 4226 recommends (section 4, R6). */
export const SECRET_BYTES = 20
const ISSUER = 'Holdfast'

/** What an authenticator app computes (RFC 6238). SHA-1 is what every app supports; for HMAC it is still sound. */
const totpOf = (secret: Uint8Array, label = '') =>
  new TOTP({
    issuer: ISSUER,
    label,
    algorithm: 'SHA1',
    digits: APP_CODE_DIGITS,
    period: APP_CODE_SECONDS,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
  })

/** The secret in base32, to type into an app, and as the address that a QR code shows. */
export function forApp(secret: Uint8Array, account: string): { readonly secret: string; readonly uri: string } {
  const totp = totpOf(secret, account)
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/**
 * The time step that a code belongs to: the present one or one beside it. Null for a wrong code.
 *
 * @param at the present time
 */
export function stepOf(typed: string, secret: Uint8Array, at: Date): number | null {
  if (!isAppCode(typed)) return null
  const token = typed.replace(/[\s-]/g, '')
  const timestamp = at.getTime()
  const delta = totpOf(secret).validate({ token, timestamp, window: APP_CODE_STEPS_OFF })
  return delta === null ? null : Math.floor(timestamp / 1000 / APP_CODE_SECONDS) + delta
}
