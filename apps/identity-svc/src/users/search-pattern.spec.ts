import { normaliseQuery, prefixPattern } from './search-pattern.js'

describe('the pattern of a search', () => {
  test('matches values that begin with the text, in lower case', () => {
    expect(prefixPattern('AnaÉ')).toBe('anaé%')
  })

  test('escapes wildcards in the query', () => {
    expect(prefixPattern('50%_\\')).toBe('50\\%\\_\\\\%')
  })

  test('ignores the @ of a handle and repeated spaces', () => {
    expect(normaliseQuery(' @ana ')).toBe('ana')
    expect(normaliseQuery('Ana   Silva')).toBe('Ana Silva')
  })
})
