import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { prefixQuery, searchText } from './search-text.js'

describe('text as the search sees it', () => {
  it.each([
    ['Café  ÜBER-bike!', 'cafe uber bike'],
    ['27.5" wheels', '27 5 wheels'],
    ['Самовар', 'самовар'],
    ['½ ﬁne', '1 2 fine'],
    ["'); DROP TABLE listing; --", 'drop table listing'],
    ['…', ''],
  ])('%j is %j', (text, seen) => {
    expect(searchText(text)).toBe(seen)
  })

  it('is seen the same when it has been seen before', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(searchText(searchText(text))).toBe(searchText(text))
      }),
    )
  })

  it('never carries a character that a query would read as its own', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(prefixQuery(text) ?? "'a':*").toMatch(/^'[\p{L}\p{N}]+':\*( & '[\p{L}\p{N}]+':\*)*$/u)
      }),
    )
  })

  it('asks for every word, each as a beginning', () => {
    expect(prefixQuery(' Red  wat')).toBe("'red':* & 'wat':*")
    expect(prefixQuery('%_!')).toBeNull()
  })
})
