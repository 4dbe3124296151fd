import { adminsNeedSecondFactor, relyingPartyOf, secondFactorRefusals } from './second-factor-config.js'

const PUBLIC_URL = 'https://app.holdfast.example'

describe('the second factor of admins', () => {
  test('is needed in production, which refuses to leave it out', () => {
    expect(adminsNeedSecondFactor({ NODE_ENV: 'production' })).toBe(true)
    const config = { NODE_ENV: 'production', PUBLIC_URL, ADMIN_SECOND_FACTOR: 'optional' } as const
    expect(secondFactorRefusals(config).ADMIN_SECOND_FACTOR).toBe('must be required in production')
    expect(adminsNeedSecondFactor(config)).toBe(true)
  })

  test('is needed at home only when it is asked for', () => {
    expect(adminsNeedSecondFactor({ NODE_ENV: 'development' })).toBe(false)
    expect(adminsNeedSecondFactor({ NODE_ENV: 'development', ADMIN_SECOND_FACTOR: 'required' })).toBe(true)
  })
})

describe('the domain of passkeys', () => {
  test('is the host of the product, or a configured domain above it', () => {
    expect(relyingPartyOf({ PUBLIC_URL })).toEqual({ domain: 'app.holdfast.example', origin: PUBLIC_URL })
    const PASSKEY_DOMAIN = 'holdfast.example'
    expect(relyingPartyOf({ PUBLIC_URL, PASSKEY_DOMAIN }).domain).toBe(PASSKEY_DOMAIN)
  })

  test.each([
    [undefined, true],
    ['app.holdfast.example', true],
    ['holdfast.example', true],
    ['example.org', false],
    ['fast.example', false],
    ['other.app.holdfast.example', false],
  ])('may be %j: %j', (PASSKEY_DOMAIN, isAllowed) => {
    const refusal = secondFactorRefusals({ NODE_ENV: 'test', PUBLIC_URL, PASSKEY_DOMAIN }).PASSKEY_DOMAIN
    expect(refusal === undefined).toBe(isAllowed)
  })
})
