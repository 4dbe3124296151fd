import { createHash } from 'node:crypto'
import { sessionCookieName } from '@holdfast/contracts/session-cookie'
import { findCookie, findSessionHash } from './session-cookie.js'

const TOKEN = `${'A'.repeat(42)}_`

describe('the session cookie', () => {
  it('is found among other cookies by its whole name', () => {
    expect(findCookie('a=1; sid=x; b=2', 'sid')).toBe('x')
    expect(findCookie('sid=x', 'sid')).toBe('x')
    expect(findCookie('notsid=y;sid=x', 'sid')).toBe('x')
    expect(findCookie('sidney=y; b=sid=z', 'sid')).toBeNull()
    expect(findCookie('sid', 'sid')).toBeNull()
    expect(findCookie('', 'sid')).toBeNull()
    expect(findCookie(undefined, 'sid')).toBeNull()
  })

  it('is ignored when its value does not have the form of a token', () => {
    const hash = createHash('sha256').update(TOKEN).digest('hex')
    expect(findSessionHash(`sid=${TOKEN}`, 'sid')).toBe(hash)
    expect(findSessionHash(`sid=${TOKEN}x`, 'sid')).toBeNull()
    expect(findSessionHash('sid=', 'sid')).toBeNull()
    expect(findSessionHash(`sid=${TOKEN.slice(1)}%`, 'sid')).toBeNull()
  })

  it('has the __Host- prefix when the product is served over https', () => {
    expect(sessionCookieName('https://holdfast.example')).toBe('__Host-holdfast_session')
    expect(sessionCookieName('http://localhost:3000')).toBe('holdfast_session')
  })
})
