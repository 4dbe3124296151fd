/**
 * The name of the cookie that holds a session's token: identity-svc sets it, the gateway reads it. With the prefix
 * `__Host-` a browser accepts it only when it is Secure, for this host alone, and for every path (RFC 6265bis, section
 * 4.1.3). Over plain http, as on a developer's machine, a browser refuses that prefix.
 */
export const sessionCookieName = (publicUrl: string): string =>
  isSecure(publicUrl) ? '__Host-holdfast_session' : 'holdfast_session'

/** Whether browsers reach the product over https. */
export const isSecure = (publicUrl: string): boolean => new URL(publicUrl).protocol === 'https:'
