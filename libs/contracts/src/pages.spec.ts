import { describe, expect, it } from '@jest/globals'
import { documentTitle, listingDescription, type Page, pages, readId } from './pages.js'

describe('the pages of the web app', () => {
  const all: readonly Page[] = Object.values(pages)

  it('have an address of their own, a title and a description that a preview shows whole', () => {
    expect(new Set(all.map(({ path }) => path)).size).toBe(all.length)
    for (const { title, description } of all) {
      expect(title).not.toBe('')
      expect(description.length).toBeGreaterThan(20)
      expect(description.length).toBeLessThanOrEqual(200)
    }
  })

  it('are kept out of search engines where only signed-in people see them', () => {
    expect(all.filter(({ access, indexed }) => access === 'user' && indexed)).toEqual([])
  })

  it('carry the name of the product behind their titles, once', () => {
    expect([documentTitle('Browse Items'), documentTitle('Holdfast')]).toEqual(['Browse Items · Holdfast', 'Holdfast'])
  })
})

describe('the description of a listing', () => {
  const listing = {
    price: '1240.5',
    currency: 'USD',
    condition: 'Good',
    description: ' Ticks.\n\nAlways  has. ',
  } as const

  it('begins with price and condition, and is one line', () => {
    expect(listingDescription(listing)).toBe('$1,240.50, Good. Ticks. Always has.')
  })

  it('is shortened without breaking a character in two', () => {
    const text = listingDescription({ ...listing, description: '😀'.repeat(500) })
    expect([...text]).toHaveLength(200)
    expect(text.endsWith('😀…')).toBe(true)
  })
})

it('an id in an address is a plain positive integer or nothing', () => {
  expect(readId('42')).toBe(42)
  for (const bad of [undefined, '', '0', '-1', '1.5', '1e3', '007', 'abc', '12345678901234567']) {
    expect(readId(bad)).toBeNull()
  }
})
