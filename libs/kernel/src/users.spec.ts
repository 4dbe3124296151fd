import { describe, expect, test } from '@jest/globals'
import { isReservedUsername, USERNAME_PATTERN } from './users.js'

describe('a username', () => {
  test('begins with a letter or a digit', () => {
    for (const good of ['ana', 'Ana.Silva', '7-of_9']) expect(USERNAME_PATTERN.test(good)).toBe(true)
    for (const bad of ['...', '-_-', '.ana', 'an', 'a b', 'тест', 'x'.repeat(31)]) {
      expect(USERNAME_PATTERN.test(bad)).toBe(false)
    }
  })

  test('cannot look like an account of Holdfast', () => {
    for (const ours of ['admin', 'Support', 'SYS.TEM', 'hold-fast', 'Holdfast_Help']) {
      expect(isReservedUsername(ours)).toBe(true)
    }
    for (const theirs of ['ana', 'admina', 'supporter', 'my.holdfast']) expect(isReservedUsername(theirs)).toBe(false)
  })
})
