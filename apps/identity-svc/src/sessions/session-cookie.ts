import {
  AUTH_PATH,
  deviceCookieName,
  isSecure,
  sessionCookieName,
  signInStepCookieName,
} from '@holdfast/contracts/session-cookie'
import { REAL_DAY_SECONDS } from '@holdfast/kernel/clocks'
import { SECOND_STEP_MINUTES } from '@holdfast/kernel/second-factors'
import { DEVICE_DAYS, SESSION_DAYS } from '@holdfast/kernel/users'

export const SESSION_SECONDS = SESSION_DAYS * REAL_DAY_SECONDS

/** The Set-Cookie header with a session's token. */
export const sessionCookie = (publicUrl: string, token: string): string =>
  cookie(publicUrl, sessionCookieName(publicUrl), { value: token, maxAgeSeconds: SESSION_SECONDS })

/** The Set-Cookie header that deletes the cookie. */
export const clearedSessionCookie = (publicUrl: string): string =>
  cookie(publicUrl, sessionCookieName(publicUrl), { value: '', maxAgeSeconds: 0 })

/** The Set-Cookie header by which a browser is known at the next sign-in. A sign-out does not remove this cookie. */
export const deviceCookie = (publicUrl: string, token: string): string =>
  cookie(publicUrl, deviceCookieName(publicUrl), {
    value: token,
    maxAgeSeconds: DEVICE_DAYS * REAL_DAY_SECONDS,
    path: AUTH_PATH,
  })

/** The Set-Cookie header of a sign-in whose second step is missing; null deletes the cookie. */
export const signInStepCookie = (publicUrl: string, token: string | null): string =>
  cookie(publicUrl, signInStepCookieName(publicUrl), {
    value: token ?? '',
    maxAgeSeconds: token === null ? 0 : SECOND_STEP_MINUTES * 60,
    path: AUTH_PATH,
  })

function cookie(
  publicUrl: string,
  name: string,
  { value, maxAgeSeconds, path = '/' }: { value: string; maxAgeSeconds: number; path?: string },
): string {
  const attributes = `Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax`
  return `${name}=${value}; ${attributes}${isSecure(publicUrl) ? '; Secure' : ''}`
}
