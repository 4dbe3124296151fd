import { isSecure, sessionCookieName } from '@holdfast/contracts/session-cookie'
import { REAL_DAY_SECONDS } from '@holdfast/kernel/clocks'
import { SESSION_DAYS } from '@holdfast/kernel/users'

export const SESSION_SECONDS = SESSION_DAYS * REAL_DAY_SECONDS

/** The Set-Cookie header with a session's token. */
export const sessionCookie = (publicUrl: string, token: string): string => cookie(publicUrl, token, SESSION_SECONDS)

/** The Set-Cookie header that deletes the cookie. */
export const clearedSessionCookie = (publicUrl: string): string => cookie(publicUrl, '', 0)

function cookie(publicUrl: string, value: string, maxAgeSeconds: number): string {
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isSecure(publicUrl) ? '; Secure' : ''}`
  return `${sessionCookieName(publicUrl)}=${value}; ${attributes}`
}
