import { REAL_DAY_SECONDS } from '@holdfast/kernel/transactions'
import { SESSION_DAYS } from '@holdfast/kernel/users'

/** Over https the name itself obliges the browser: Secure, this host alone, the whole site (RFC 6265bis, section 4.1.3). */
export const SECURE_SESSION_COOKIE = '__Host-holdfast_session'
/** Over plain http, where a browser would refuse that name: development at home. */
export const PLAIN_SESSION_COOKIE = 'holdfast_session'

export const SESSION_SECONDS = SESSION_DAYS * REAL_DAY_SECONDS

/** The Set-Cookie header that hands a session's token to the browser. */
export const sessionCookie = (publicUrl: string, token: string): string => cookie(publicUrl, token, SESSION_SECONDS)

/** The Set-Cookie header that makes the browser forget its session. */
export const clearedSessionCookie = (publicUrl: string): string => cookie(publicUrl, '', 0)

function cookie(publicUrl: string, value: string, maxAgeSeconds: number): string {
  const secure = new URL(publicUrl).protocol === 'https:'
  const name = secure ? SECURE_SESSION_COOKIE : PLAIN_SESSION_COOKIE
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}
