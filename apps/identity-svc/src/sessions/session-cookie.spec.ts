import { describe, expect, test } from '@jest/globals'
import { clearedSessionCookie, sessionCookie } from './session-cookie.js'

describe('the session cookie', () => {
  test('over https is bound to this host and never sent in the clear', () => {
    expect(sessionCookie('https://holdfast.example', 'abc')).toBe(
      '__Host-holdfast_session=abc; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure',
    )
  })

  test('over http has the plain name, since a browser refuses the other one there', () => {
    expect(sessionCookie('http://localhost:3000', 'abc')).toBe(
      'holdfast_session=abc; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax',
    )
  })

  test('is cleared under the same name and path, or the browser would keep it', () => {
    expect(clearedSessionCookie('https://holdfast.example')).toBe(
      '__Host-holdfast_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    )
    expect(clearedSessionCookie('http://localhost:3000')).toBe(
      'holdfast_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    )
  })
})
