/**
 * The name of the cookie that holds a session's token: identity-svc sets it, the gateway reads it. Under https the name
 * itself obliges the browser: Secure, this host alone, the whole site (RFC 6265bis, section 4.1.3). Over plain http, at
 * home, a browser would refuse that name.
 */
export const sessionCookieName = (publicUrl: string): string =>
  isSecure(publicUrl) ? '__Host-holdfast_session' : 'holdfast_session'

/** Whether browsers reach the product over https alone. */
export const isSecure = (publicUrl: string): boolean => new URL(publicUrl).protocol === 'https:'
