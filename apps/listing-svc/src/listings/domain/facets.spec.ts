import { type FacetCount, facetsOf } from './facets.js'

const COUNTS: FacetCount[] = [
  { category: 'Books', condition: 'New', count: 2 },
  { category: 'Books', condition: 'Good', count: 3 },
  { category: 'Art', condition: 'New', count: 5 },
]

describe('the facets of a list', () => {
  it('count every listing when nothing is chosen, in the order of the choices', () => {
    expect(facetsOf(COUNTS, {})).toEqual({
      total: 10,
      category: [
        { value: 'Books', count: 5 },
        { value: 'Art', count: 5 },
      ],
      condition: [
        { value: 'New', count: 7 },
        { value: 'Good', count: 3 },
      ],
    })
  })

  it('count what another choice of the same field leads to', () => {
    expect(facetsOf(COUNTS, { category: 'Books' })).toEqual({
      total: 5,
      category: [
        { value: 'Books', count: 5 },
        { value: 'Art', count: 5 },
      ],
      condition: [
        { value: 'New', count: 2 },
        { value: 'Good', count: 3 },
      ],
    })
    expect(facetsOf(COUNTS, { category: 'Books', condition: 'New' })).toMatchObject({
      total: 2,
      category: [
        { value: 'Books', count: 2 },
        { value: 'Art', count: 5 },
      ],
    })
  })

  it('are empty when nothing matches', () => {
    expect(facetsOf([], { category: 'Art' })).toEqual({ total: 0, category: [], condition: [] })
    expect(facetsOf(COUNTS, { category: 'Watches' })).toMatchObject({ total: 0, condition: [] })
  })
})
