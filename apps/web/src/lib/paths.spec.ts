import { readId } from '@holdfast/contracts/pages'
import { paths } from './paths.js'

test('an id in an address is a plain positive integer or nothing', () => {
  expect(readId('42')).toBe(42)
  for (const bad of [undefined, '', '0', '-1', '1.5', '1e3', '007', 'abc', '12345678901234567']) {
    expect(readId(bad)).toBeNull()
  }
})

test('a token with slashes stays one segment of the path', () => {
  expect(paths.invitation('a/../b?c')).toBe('/invitation/a%2F..%2Fb%3Fc')
})
