import { hash } from 'node:crypto'

/** 32 random bytes in base64url, as identity-svc makes them. Anything else is no session, and nobody needs to be asked. */
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/

/** The value of one cookie of a Cookie header; the first, when there are several of the name. */
export function findCookie(header: string | undefined, name: string): string | null {
  if (!header) return null
  for (let start = 0; start < header.length; ) {
    const semicolon = header.indexOf(';', start)
    const end = semicolon < 0 ? header.length : semicolon
    while (header[start] === ' ') start++
    if (header.startsWith(name, start) && header[start + name.length] === '=') {
      return header.slice(start + name.length + 1, end).trimEnd()
    }
    start = end + 1
  }
  return null
}

/** The hex SHA-256 by which identity-svc knows the token in the cookie; null when there is no well-formed one. */
export function findSessionHash(cookieHeader: string | undefined, cookieName: string): string | null {
  const token = findCookie(cookieHeader, cookieName)
  return token !== null && TOKEN_PATTERN.test(token) ? hash('sha256', token, 'hex') : null
}
