import { addressKey, networkKey } from './address-key.js'

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

describe('the key of a network', () => {
  test('is the /24 of an IPv4 address, also when it is mapped into IPv6', () => {
    expect(networkKey('192.0.2.7')).toBe(networkKey('::ffff:192.0.2.200'))
    expect(networkKey('192.0.2.7')).not.toBe(networkKey('192.0.3.7'))
  })

  test('is the /48 of an IPv6 address', () => {
    expect(networkKey('2001:db8:1:2::1')).toBe(networkKey('2001:db8:1:ffff::1'))
    expect(networkKey('2001:db8:1:2::1')).not.toBe(networkKey('2001:db8:2:2::1'))
  })

  test('differs between IPv4 and IPv6, and is the same for all calls without a readable address', () => {
    expect(networkKey('192.0.2.7')).not.toBe(networkKey('c000:200::1'))
    expect(networkKey(null)).toBe(networkKey('not an address'))
  })
})
