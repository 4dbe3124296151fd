import fc from 'fast-check'
import { prefixQuery, searchText } from './search-text.js'

describe('text for the search', () => {
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

  it('stays the same when it is normalised again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(searchText(searchText(text))).toBe(searchText(text))
      }),
    )
  })

  it('contains no operators of the query language', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(prefixQuery(text) ?? "'a':*").toMatch(/^'[\p{L}\p{N}]+':\*( & '[\p{L}\p{N}]+':\*)*$/u)
      }),
    )
  })

  it('becomes a query for every word as a prefix', () => {
    expect(prefixQuery(' Red  wat')).toBe("'red':* & 'wat':*")
    expect(prefixQuery('%_!')).toBeNull()
  })
})
