import { routes } from 'virtual:routes'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { SWRConfig } from 'swr'
import { expect, test } from 'vitest'
import { fakeServer, refusal } from '../../test/fake-server.js'
import { chair } from '../../test/listings.js'
import { refreshAfter } from './live/changes.js'
import { queryOfNext, usePages } from './use-pages.js'

const titled = (id: number, title: string) => ({ ...chair, id, title })

/** Two listings a page, the newest first, as the server links them. */
function serve(titles: readonly string[], more: { broken?: boolean } = {}) {
  const shown = { titles, ...more }
  const server = fakeServer({
    'GET /api/listings': ({ query }) => {
      const from = Number(query.get('before') ?? 0)
      if (from > 0 && shown.broken) return refusal('INTERNAL')
      const next = from + 2
      return {
        body: shown.titles.slice(from, next).map((title, index) => titled(from + index + 1, title)),
        ...(next < shown.titles.length && {
          headers: { link: `</api/listings?sort=newest&before=${next}>; rel="next"` },
        }),
      }
    },
  })
  return { shown, ...server }
}

function List() {
  const { items, hasMore, loadMore, error, retry } = usePages(routes.listListings, { query: { sort: 'newest' } })
  return (
    <>
      <p>Items: {items?.map(item => item.title).join(' ')}</p>
      {error && (
        <button type="button" onClick={retry}>
          {error.message}
        </button>
      )}
      {hasMore && (
        <button type="button" onClick={() => void loadMore()}>
          More
        </button>
      )}
    </>
  )
}
const show = () =>
  render(
    <SWRConfig value={{ errorRetryCount: 0 }}>
      <List />
    </SWRConfig>,
  )
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

test('the pages of a list follow each other, and each is asked for once', async () => {
  const { calls } = serve(['a', 'b', 'c', 'd', 'e'])
  show()
  expect(await screen.findByText('Items: a b')).toBeTruthy()
  await press('More')
  expect(await screen.findByText('Items: a b c d')).toBeTruthy()
  await press('More')
  expect(await screen.findByText('Items: a b c d e')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'More' })).toBeNull()
  expect(calls).toHaveLength(3)
})

test('a change renews every page that is loaded', async () => {
  const { shown } = serve(['a', 'b', 'c', 'd'])
  show()
  await press('More')
  expect(await screen.findByText('Items: a b c d')).toBeTruthy()
  shown.titles = ['new', 'a', 'b', 'c', 'd']
  await act(() => refreshAfter({ kind: 'listing' }))
  expect(await screen.findByText('Items: new a b c')).toBeTruthy()
  await press('More')
  expect(await screen.findByText('Items: new a b c d')).toBeTruthy()
})

test('a page that could not be loaded leaves the others, and is tried again', async () => {
  const { shown } = serve(['a', 'b', 'c'], { broken: true })
  show()
  await press('More')
  expect(await screen.findByText('Items: a b')).toBeTruthy()
  shown.broken = false
  await press('500: Internal Server Error')
  expect(await screen.findByText('Items: a b c')).toBeTruthy()
})

test('the next page is asked for as its Link header says', () => {
  expect(queryOfNext('/api/listings?q=oak&sort=price-asc&after=abc%3D&status=active&status=inactive')).toEqual({
    q: 'oak',
    sort: 'price-asc',
    after: 'abc=',
    status: ['active', 'inactive'],
  })
})
