import { describe, expect, test } from '@jest/globals'
import { normaliseQuery, prefixPattern } from './search-pattern.js'

describe('the pattern of a search', () => {
  test('finds what begins with the text, in lower case', () => {
    expect(prefixPattern('AnaÉ')).toBe('anaé%')
  })

  test('takes wildcards of the person who types for the characters they are', () => {
    expect(prefixPattern('50%_\\')).toBe('50\\%\\_\\\\%')
  })

  test('reads a handle without its sign and a name with single spaces', () => {
    expect(normaliseQuery(' @ana ')).toBe('ana')
    expect(normaliseQuery('Ana   Silva')).toBe('Ana Silva')
  })
})
