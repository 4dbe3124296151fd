import { hash } from 'node:crypto'
import { TOKEN_PATTERN } from '@holdfast/contracts/session-cookie'

/** The value of a cookie in a Cookie header, the first one of that name; null when there is none. */
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

/** The token in a cookie of that name; null when there is no well-formed token. */
export function findToken(cookieHeader: string | undefined, cookieName: string): string | null {
  const token = findCookie(cookieHeader, cookieName)
  return token !== null && TOKEN_PATTERN.test(token) ? token : null
}

/** The hex SHA-256 of the session token in a Cookie header; null when there is no well-formed token. */
export function findSessionHash(cookieHeader: string | undefined, cookieName: string): string | null {
  const token = findToken(cookieHeader, cookieName)
  return token === null ? null : hash('sha256', token, 'hex')
}
