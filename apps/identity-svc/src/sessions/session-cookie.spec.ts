import { clearedSessionCookie, sessionCookie } from './session-cookie.js'

describe('the session cookie', () => {
  test('over https is bound to this host and is sent over https only', () => {
    expect(sessionCookie('https://holdfast.example', 'abc')).toBe(
      '__Host-holdfast_session=abc; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure',
    )
  })

  test('over http has a name without prefix, because a browser refuses the prefix there', () => {
    expect(sessionCookie('http://localhost:3000', 'abc')).toBe(
      'holdfast_session=abc; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax',
    )
  })

  test('is cleared under the same name and path', () => {
    expect(clearedSessionCookie('https://holdfast.example')).toBe(
      '__Host-holdfast_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    )
    expect(clearedSessionCookie('http://localhost:3000')).toBe(
      'holdfast_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    )
  })
})
