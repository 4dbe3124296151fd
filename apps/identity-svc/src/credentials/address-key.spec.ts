import { describe, expect, test } from '@jest/globals'
import { addressKey } from './address-key.js'

describe('the key that counts the attempts of an address', () => {
  test('is an IPv4 address itself, also when it is mapped into IPv6', () => {
    expect(addressKey('192.0.2.7')).toBe('192.0.2.7')
    expect(addressKey('::ffff:192.0.2.7')).toBe('192.0.2.7')
  })

  test('is the /64 network of an IPv6 address', () => {
    expect(addressKey('2001:db8:1:2:3:4:5:6')).toBe(addressKey('2001:db8:1:2::ffff'))
    expect(addressKey('2001:db8:1:2::1')).not.toBe(addressKey('2001:db8:1:3::1'))
  })

  test('is the same for all calls without a readable address', () => {
    expect(addressKey(null)).toBe(addressKey('not an address'))
  })
})
