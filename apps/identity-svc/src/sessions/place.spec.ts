import { placeOf } from './place.js'

test.each([
  ['193.99.144.80', 'Germany'],
  ['2a02:2e0:3fe:1001::', 'Germany'],
  ['202.232.2.164', 'Japan'],
  ['::ffff:193.99.144.80', 'Germany'],
  ['127.0.0.1', 'This machine'],
  ['::1', 'This machine'],
  ['10.1.2.3', 'A local network'],
  ['fd00::1', 'A local network'],
  // For documentation: in no country.
  ['192.0.2.1', null],
  ['not an address', null],
  [null, null],
])('%s is in %s', (address, place) => {
  expect(placeOf(address)).toBe(place)
})
