import { generateKeyPairSync } from 'node:crypto'
import { isAppleKey, nameInAnswer } from './apple.js'

const pem = (namedCurve: string) =>
  generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

describe('the key of an Apple developer account', () => {
  it('is a private key of the curve P-256', () => {
    expect(isAppleKey(pem('P-256'))).toBe(true)
    expect(isAppleKey(pem('P-384'))).toBe(false)
    expect(isAppleKey('a secret')).toBe(false)
  })
})

describe('the name in Apple’s answer', () => {
  it('is given at the first sign-in, as JSON', () => {
    const user = JSON.stringify({ name: { firstName: 'Amara', lastName: 'Obi' } })
    expect(nameInAnswer(`?code=1&user=${encodeURIComponent(user)}`)).toEqual({
      given_name: 'Amara',
      family_name: 'Obi',
    })
  })

  it.each(['?code=1', '?user=', '?user=%7B', '?user=null', '?user=%7B%22name%22%3A7%7D'])('is not in %s', answer => {
    expect(nameInAnswer(answer)).toEqual({})
  })
})
