import { describe, expect, it } from '@jest/globals'
import { nextPageLink } from './next-page.js'

describe('the link to the next page', () => {
  const page = [{ id: 9 }, { id: 8 }]

  it('continues after the last item of a full page', () => {
    expect(nextPageLink('/api/transactions?limit=2', 2, page)).toBe('</api/transactions?limit=2&before=8>; rel="next"')
    expect(nextPageLink('/api/transactions', 2, page)).toBe('</api/transactions?limit=2&before=8>; rel="next"')
  })

  it('keeps the filters of the list, and replaces the position of this page', () => {
    expect(nextPageLink('/api/transactions?role=buyer&status=paid&status=shipped&before=10', 2, page)).toBe(
      '</api/transactions?role=buyer&status=paid&status=shipped&before=8&limit=2>; rel="next"',
    )
  })

  it('is missing on the last page', () => {
    expect(nextPageLink('/api/transactions', 3, page)).toBeNull()
    expect(nextPageLink('/api/transactions', 3, [])).toBeNull()
  })
})
