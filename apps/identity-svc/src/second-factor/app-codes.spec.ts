import { forApp, stepOf } from './app-codes.js'

/** The secret and the codes of RFC 6238, appendix B, with the last six of the eight digits. */
const SECRET = Buffer.from('12345678901234567890')
const VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const
const at = (seconds: number) => new Date(seconds * 1000)

describe('a code of an authenticator app', () => {
  test.each(VECTORS)('is that of the standard at second %i', (seconds, code) => {
    expect(stepOf(code, SECRET, at(seconds))).toBe(Math.floor(seconds / 30))
  })

  test('holds one step before and one step after its own, and not two', () => {
    const [seconds, code] = VECTORS[1]
    const step = Math.floor(seconds / 30)
    for (const off of [-1, 0, 1]) expect(stepOf(code, SECRET, at((step + off) * 30))).toBe(step)
    for (const off of [-2, 2]) expect(stepOf(code, SECRET, at((step + off) * 30))).toBeNull()
  })

  test('may be typed in two groups', () => {
    expect(stepOf('287 082', SECRET, at(59))).toBe(1)
  })

  test.each(['', '28708', '2870820', 'abcdef', '２８７０８２'])('is not %j', typed => {
    expect(stepOf(typed, SECRET, at(59))).toBeNull()
  })
})

test('an app gets the secret in base32 and an address with the account', () => {
  const { secret, uri } = forApp(SECRET, 'ana@example.com')
  expect(secret).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  const url = new URL(uri)
  expect([url.protocol, url.host, decodeURIComponent(url.pathname)]).toEqual([
    'otpauth:',
    'totp',
    '/Holdfast:ana@example.com',
  ])
  expect(Object.fromEntries(url.searchParams)).toEqual({
    ...{ issuer: 'Holdfast', secret, algorithm: 'SHA1', digits: '6', period: '30' },
  })
})
