import { countFilters, filterValuesOf, readSearch, searchOf, validateFilters, writeSearch } from './listing-search.js'

const read = (query: string) => readSearch(new URLSearchParams(query))

test('an address that was tampered with narrows nothing', () => {
  expect(read('category=Nonsense&condition=%27&minPrice=-1&maxPrice=1e9&sort=random&q=%20')).toEqual({ sort: 'newest' })
})

test.each(['3.000', '3,000', '3.000,00', '3 000', ' 3', '+3', '٣'])(
  'a price of %j in an address narrows nothing',
  price => {
    expect(readSearch(new URLSearchParams({ minPrice: price }))).toEqual({ sort: 'newest' })
  },
)

test('a typed price narrows by what was meant, or is refused', () => {
  const typed = { ...filterValuesOf({ sort: 'newest' }), minPrice: ' $3,000 ', maxPrice: '3.000' }
  expect(searchOf({ ...typed, maxPrice: '' })).toEqual({ minPrice: '3000', sort: 'newest' })
  expect(validateFilters(typed)).toEqual({ minPrice: undefined, maxPrice: expect.stringContaining('$3,000.00') })
})

test('a search survives its way through the address', () => {
  const search = read('q=oak+chair&category=Home+%26+Garden&condition=Good&minPrice=10&maxPrice=99.50&sort=price-asc')
  expect(search).toMatchObject({ q: 'oak chair', category: 'Home & Garden', maxPrice: '99.50', sort: 'price-asc' })
  expect(readSearch(writeSearch(search))).toEqual(search)
  expect(countFilters(search)).toBe(4)
})

test('the default order stands in no address', () => {
  expect(writeSearch({ sort: 'newest' }).toString()).toBe('')
})
