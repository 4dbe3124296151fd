/**
 * The names of the cookies that identity-svc sets and the gateway reads. With the prefix `__Host-` a browser accepts one only
 * when it is Secure, for this host alone, and for every path; `__Secure-` requires only the first (RFC 6265bis, section
 * 4.1.3). Over plain http, as on a developer's machine, a browser refuses these prefixes.
 */

/** The cookie that holds a session's token. */
export const sessionCookieName = (publicUrl: string): string =>
  isSecure(publicUrl) ? '__Host-holdfast_session' : 'holdfast_session'

/** The cookie by which a browser shows at sign-in that its user has signed in with it before. */
export const deviceCookieName = (publicUrl: string): string =>
  isSecure(publicUrl) ? '__Secure-holdfast_device' : 'holdfast_device'

/** The cookie of a browser whose user has shown the password and not the second factor yet. It opens nothing but that second step. */
export const signInStepCookieName = (publicUrl: string): string =>
  isSecure(publicUrl) ? '__Secure-holdfast_step' : 'holdfast_step'

/** Browsers send the device cookie and that of a second step only with requests below this path. */
export const AUTH_PATH = '/api/auth/'

/** The headers in which the gateway passes a browser's cookies to identity-svc, with requests below AUTH_PATH only. */
export const DEVICE_HEADER = 'x-holdfast-device'
export const SIGN_IN_STEP_HEADER = 'x-holdfast-step'
/** The hex SHA-256 of the session token: the token itself never leaves the gateway. */
export const SESSION_HEADER = 'x-holdfast-session'

/** The form of all tokens: 32 random bytes in base64url. A value of another form is ignored. */
export const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/

/** Whether browsers reach the product over https. */
export const isSecure = (publicUrl: string): boolean => new URL(publicUrl).protocol === 'https:'
