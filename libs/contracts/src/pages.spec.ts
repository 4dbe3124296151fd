import { listingDescription, pageDescription } from './page-descriptions.js'
import { documentTitle, type Page, pages, readId } from './pages.js'

describe('the pages of the web app', () => {
  const all: readonly Page[] = Object.values(pages)

  it('have different addresses, a title, and a description short enough for a preview', () => {
    expect(new Set(all.map(({ path }) => path)).size).toBe(all.length)
    for (const page of all) {
      expect(page.title).not.toBe('')
      const description = pageDescription(page)
      expect(description.length).toBeGreaterThan(20)
      expect(description.length).toBeLessThanOrEqual(200)
    }
  })

  it('have a description of their own when search engines list them', () => {
    const texts = all.filter(({ indexed }) => indexed).map(pageDescription)
    expect(new Set(texts).size).toBe(texts.length)
  })

  it('are hidden from search engines when only signed-in users may open them', () => {
    expect(all.filter(({ access, indexed }) => access === 'user' && indexed)).toEqual([])
  })

  it('have the name of the product once in their titles, at the end', () => {
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

  it('begins with price and condition, and has one line', () => {
    expect(listingDescription(listing)).toBe('$1,240.50, Good. Ticks. Always has.')
  })

  it('is shortened between two characters, never within one', () => {
    const text = listingDescription({ ...listing, description: '😀'.repeat(500) })
    expect([...text]).toHaveLength(200)
    expect(text.endsWith('😀…')).toBe(true)
  })
})

it('an id in an address is a positive integer, or is not read at all', () => {
  expect(readId('42')).toBe(42)
  for (const bad of [undefined, '', '0', '-1', '1.5', '1e3', '007', 'abc', '12345678901234567']) {
    expect(readId(bad)).toBeNull()
  }
})
