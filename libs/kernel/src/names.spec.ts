import { describe, expect, test } from '@jest/globals'
import { hasHiddenCharacters, isReservedName, isReservedUsername } from './names.js'
import { USERNAME_PATTERN } from './users.js'

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
    for (const ours of ['h0ldfast', 'HO1DFAST', 'adm1n', '5upport']) expect(isReservedUsername(ours)).toBe(true)
    for (const ours of ['team.holdfast', 'official-holdfast', 'escrow-support', 'the.admin', '0fficial_H0ldfast']) {
      expect(isReservedUsername(ours)).toBe(true)
    }
    for (const theirs of ['ana', 'admina', 'supporter', 'my.holdfast', 'team.ana', 'escrow.fan'])
      expect(isReservedUsername(theirs)).toBe(false)
  })
})

describe('a person’s name', () => {
  test.each([
    ['Holdfast', 'Support'],
    ['Hold', 'Fast'],
    ['The H0ldfast', 'Team'],
    ['Ноldfаѕt', 'Help'],
    ['Escrow', 'Team'],
    ['Customer', 'Suppórt'],
    ['Anna', 'Admin'],
    ['M0derator', 'Max'],
    ['Hołdfast', 'Help'],
    ['Høldƒast', 'Help'],
    ['Hօldfast', 'Help'],
    ['Escrow-Team', 'Ana'],
  ])('cannot look like a part of Holdfast: %s %s', (firstName, lastName) => {
    expect(isReservedName(firstName, lastName)).toBe(true)
  })

  test.each([
    ['Ana', 'Silva'],
    ['Frank', 'Staff'],
    ['Иван', 'Петров'],
    ['Fast', 'Holder'],
    ['Αλέξης', 'Παπάς'],
    ['Lin', 'Supporter'],
    ['Łukasz', 'Støre'],
    ['Ana', 'Staff-Meyer'],
  ])('may be %s %s', (firstName, lastName) => {
    expect(isReservedName(firstName, lastName)).toBe(false)
  })

  test('hides nothing', () => {
    for (const hidden of ['Ana\u202E', 'An\u200Ba', '\u200FAna', 'Ana\u2066', 'A\u00ADna', 'An\u200Da', '\u061CAna']) {
      expect(hasHiddenCharacters(hidden)).toBe(true)
    }
    for (const seen of ['Ana', 'José', 'علی\u200Cرضا', 'क्\u200Dष', 'O’Brien', '李'])
      expect(hasHiddenCharacters(seen)).toBe(false)
  })
})
