import { expect, test } from 'vitest'
import { countFilters, readSearch, writeSearch } from './listing-search.js'

const read = (query: string) => readSearch(new URLSearchParams(query))

test('an address that was tampered with narrows nothing', () => {
  expect(read('category=Nonsense&condition=%27&minPrice=-1&maxPrice=1e9&sort=random&q=%20')).toEqual({ sort: 'newest' })
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
