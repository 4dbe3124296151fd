import { routes } from 'virtual:routes'
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { SWRConfig } from 'swr'
import { fakeServer, refusal } from '../../test/fake-server.js'
import { chair } from '../../test/listings.js'
import { refreshAfter } from './live/changes.js'
import { queryOfNext, usePages } from './use-pages.js'

const titled = (id: number, title: string) => ({ ...chair, id, title })

interface Shown {
  titles: readonly string[]
  broken?: boolean
  /** The next answer waits for it. */
  hold?: Promise<unknown>
}

/** Two listings a page, the newest first, as the server links them. The titles begin with what is searched for. */
function serve(titles: readonly string[], more: Pick<Shown, 'broken'> = {}) {
  const shown: Shown = { titles, ...more }
  const server = fakeServer({
    'GET /api/listings': async ({ query }) => {
      const { hold } = shown
      delete shown.hold
      await hold
      const from = Number(query.get('before') ?? 0)
      if (from > 0 && shown.broken) return refusal('INTERNAL')
      const next = from + 2
      const q = query.get('q') ?? ''
      return {
        body: shown.titles.slice(from, next).map((title, index) => titled(from + index + 1, q + title)),
        ...(next < shown.titles.length && {
          headers: { link: `</api/listings?sort=newest&before=${next}&q=${q}>; rel="next"` },
        }),
      }
    },
  })
  /** Lets the next answer wait until the function is called. */
  const holdNext = () => {
    let release = () => {}
    shown.hold = new Promise<void>(resolve => (release = resolve))
    return () => act(async () => release())
  }
  return { shown, holdNext, ...server }
}

function List({ q = '' }: { q?: string }) {
  const { items, hasMore, loadMore, error, retry } = usePages(routes.listListings, { query: { sort: 'newest', q } })
  return (
    <>
      <p>Items: {items ? items.map(item => item.title).join(' ') : 'loading'}</p>
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
const list = (q?: string) => (
  <SWRConfig value={{ errorRetryCount: 0 }}>
    <List {...(q && { q })} />
  </SWRConfig>
)
const show = () => render(list())
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

test('the failure of a next page ends with its list: after another input, and when the list no longer goes on', async () => {
  const { shown } = serve(['a', 'b', 'c'], { broken: true })
  const { rerender } = show()
  const failure = () => screen.queryByRole('button', { name: '500: Internal Server Error' })
  await press('More')
  expect(await screen.findByText('Items: a b')).toBeTruthy()
  await waitFor(() => expect(failure()).toBeTruthy())
  rerender(list('x'))
  expect(await screen.findByText('Items: xa xb')).toBeTruthy()
  expect(failure()).toBeNull()
  await press('More')
  await waitFor(() => expect(failure()).toBeTruthy())
  shown.titles = ['new']
  await act(() => refreshAfter({ kind: 'listing' }))
  expect(await screen.findByText('Items: xnew')).toBeTruthy()
  expect(failure()).toBeNull()
})

test('a page that comes after the input has changed is not added to the other list, which is asked for once', async () => {
  const { calls, holdNext } = serve(['a', 'b', 'c'])
  const { rerender } = show()
  expect(await screen.findByText('Items: a b')).toBeTruthy()
  const sendMore = holdNext()
  await press('More')
  const sendOther = holdNext()
  rerender(list('x'))
  await sendMore()
  expect(screen.getByText('Items: loading')).toBeTruthy()
  await sendOther()
  expect(await screen.findByText('Items: xa xb')).toBeTruthy()
  expect(calls).toHaveLength(3)
  await press('More')
  expect(await screen.findByText('Items: xa xb xc')).toBeTruthy()
  rerender(list())
  expect(await screen.findByText('Items: a b')).toBeTruthy()
  await press('More')
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
