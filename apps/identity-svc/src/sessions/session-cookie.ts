import { isSecure, sessionCookieName } from '@holdfast/contracts/session-cookie'
import { REAL_DAY_SECONDS } from '@holdfast/kernel/clocks'
import { SESSION_DAYS } from '@holdfast/kernel/users'

export const SESSION_SECONDS = SESSION_DAYS * REAL_DAY_SECONDS

/** The Set-Cookie header that hands a session's token to the browser. */
export const sessionCookie = (publicUrl: string, token: string): string => cookie(publicUrl, token, SESSION_SECONDS)

/** The Set-Cookie header that makes the browser forget its session. */
export const clearedSessionCookie = (publicUrl: string): string => cookie(publicUrl, '', 0)

function cookie(publicUrl: string, value: string, maxAgeSeconds: number): string {
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isSecure(publicUrl) ? '; Secure' : ''}`
  return `${sessionCookieName(publicUrl)}=${value}; ${attributes}`
}
