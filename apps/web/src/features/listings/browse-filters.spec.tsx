import { beforeAll, describe, expect, jest, test } from '@jest/globals'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { BrowseFilters } from './browse-filters.js'
import { type ListingSearch, readSearch } from './listing-search.js'

const search = (query: string) => readSearch(new URLSearchParams(query))
const applied = jest.fn<(search: ListingSearch) => void>()
let replace: (search: ListingSearch) => void

function Filters() {
  const [shown, setShown] = useState(search(''))
  replace = setShown
  return (
    <BrowseFilters
      search={shown}
      onChange={next => {
        applied(next)
        setShown(next)
      }}
    />
  )
}

const from = () => screen.getByLabelText<HTMLInputElement>('From')
const to = () => screen.getByLabelText<HTMLInputElement>('To')

beforeAll(() => {
  window.matchMedia ??= () => ({ matches: true, addEventListener() {}, removeEventListener() {} }) as never
})

describe('the price filter', () => {
  test('is applied once both prices were typed, one after the other', async () => {
    render(<Filters />)
    await userEvent.type(from(), '100')
    await userEvent.tab()
    expect(applied).not.toHaveBeenCalled()
    await userEvent.type(to(), '200{Enter}')
    expect(applied).toHaveBeenLastCalledWith(expect.objectContaining({ minPrice: '100', maxPrice: '200' }))
    expect([from().value, to().value]).toEqual(['100', '200'])
  })

  test('keeps what is being typed when the search changes meanwhile', async () => {
    render(<Filters />)
    await userEvent.type(to(), '20')
    act(() => replace(search('minPrice=100')))
    await userEvent.type(to(), '0')
    expect([from().value, to().value]).toEqual(['100', '200'])
  })
})
