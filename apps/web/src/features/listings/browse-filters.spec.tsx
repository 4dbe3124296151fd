import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { fakeServer, refusal } from '../../../test/fake-server.js'
import { forgetAnswers } from '../../../test/show.js'
import BrowseFilters from './browse-filters.js'
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

// Nothing is counted, except where a test answers otherwise.
beforeEach(() => {
  fakeServer({ 'GET /api/listings/facets': () => refusal('UNAVAILABLE') })
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

  test('says at the field that a price of letters is wrong, and applies nothing', async () => {
    render(<Filters />)
    applied.mockClear()
    await userEvent.type(from(), 'abc{Enter}')
    expect(await screen.findByText(/^Write the amount like 3,000.00/)).toBeTruthy()
    expect(from().getAttribute('aria-invalid')).toBe('true')
    expect(from().closest('form')?.noValidate).toBe(true)
    await waitFor(() => expect(document.activeElement).toBe(from()))
    expect(applied).not.toHaveBeenCalled()
    await userEvent.clear(from())
    await userEvent.type(from(), '100')
    expect(screen.queryByText(/^Write the amount like 3,000.00/)).toBeNull()
  })

  test('is applied in the form of requests, and a price of two readings is not applied', async () => {
    render(<Filters />)
    applied.mockClear()
    await userEvent.type(to(), '$1,250.5{Enter}')
    expect(applied).toHaveBeenLastCalledWith(expect.objectContaining({ maxPrice: '1250.50' }))
    applied.mockClear()
    await userEvent.clear(to())
    await userEvent.type(to(), '3.000{Enter}')
    expect(await screen.findByText(/^This can be read as \$3.00 or as \$3,000.00/)).toBeTruthy()
    expect(applied).not.toHaveBeenCalled()
  })

  test('lets the focus leave a wrong price, and applies nothing', async () => {
    render(<Filters />)
    applied.mockClear()
    await userEvent.type(to(), 'abc')
    await userEvent.tab()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Apply' })))
    expect(applied).not.toHaveBeenCalled()
  })

  test('keeps what is being typed when the search changes meanwhile', async () => {
    render(<Filters />)
    await userEvent.type(to(), '20')
    act(() => replace(search('minPrice=100')))
    await userEvent.type(to(), '0')
    expect([from().value, to().value]).toEqual(['100', '200'])
  })
})

test('a choice applies at once, together with what is typed already', async () => {
  render(<Filters />)
  await userEvent.type(screen.getByLabelText('Search items'), 'chair')
  await userEvent.selectOptions(screen.getByLabelText('Category'), 'Art')
  expect(applied).toHaveBeenLastCalledWith({ q: 'chair', category: 'Art', sort: 'newest' })
})

test('a search that comes from elsewhere fills the fields', () => {
  render(<Filters />)
  act(() => replace(search('q=lamp&category=Art&maxPrice=20&sort=price-asc')))
  expect(screen.getByLabelText<HTMLInputElement>('Search items').value).toBe('lamp')
  expect(screen.getByLabelText<HTMLSelectElement>('Category').value).toBe('Art')
  expect(screen.getByLabelText<HTMLSelectElement>('Sort by').value).toBe('price-asc')
  expect(to().value).toBe('20')
})

test('the number of items stands beside each choice, and is said when the search changes', async () => {
  const { calls } = fakeServer({
    'GET /api/listings/facets': ({ query }) => ({
      body: {
        total: query.has('category') ? 2 : 5,
        category: [
          { value: 'Art', count: 2 },
          { value: 'Books', count: 3 },
        ],
        condition: [{ value: 'Good', count: query.has('category') ? 2 : 5 }],
      },
    }),
  })
  await forgetAnswers()
  render(<Filters />)
  expect(await screen.findByRole('option', { name: 'All categories (5)' })).toBeTruthy()
  expect(screen.getByRole('status').textContent).toBe('')
  await userEvent.selectOptions(screen.getByLabelText('Category'), 'Art')
  expect(await screen.findByText('2 items match')).toBeTruthy()
  expect(screen.getByRole('option', { name: 'All categories (5)' })).toBeTruthy()
  expect(screen.getByRole('option', { name: 'Any condition (2)' })).toBeTruthy()
  // Both the choices and the message are of the same answer.
  expect(calls).toHaveLength(2)
})

test('choices stand without numbers while the items of a search cannot be counted', async () => {
  fakeServer({
    'GET /api/listings/facets': ({ query }) =>
      query.has('category') ? refusal('UNAVAILABLE') : { body: { total: 5, category: [], condition: [] } },
  })
  await forgetAnswers()
  render(<Filters />)
  expect(await screen.findByRole('option', { name: 'Any condition (0)' })).toBeTruthy()
  await userEvent.selectOptions(screen.getByLabelText('Category'), 'Art')
  expect(await screen.findByRole('option', { name: 'Any condition' })).toBeTruthy()
  expect(screen.getByRole('status').textContent).toBe('')
})
