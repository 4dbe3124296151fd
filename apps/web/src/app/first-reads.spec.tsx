import { routes } from 'virtual:routes'
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ComponentType } from 'react'
import { Link } from 'react-router-dom'
import { fakeServer, refusal } from '../../test/fake-server.js'
import { later } from '../../test/later.js'
import { anaSignedIn, ben } from '../../test/people.js'
import { showRoutes } from '../../test/show.js'
import { transaction } from '../../test/transactions.js'
import { refreshCurrentUser, useSession } from '../lib/current-user.js'
import { refreshAfter } from '../lib/live/changes.js'
import { refresh, useCall } from '../lib/use-call.js'
import { readTransaction } from './first-reads.js'
import { forUsers } from './protected.js'

function DealTitle() {
  const { data, error } = useCall(routes.getTransaction, { params: { id: '42' } })
  return <p>{error ? 'Not loaded' : (data?.listing.title ?? 'Loading')}</p>
}

const Home = () => {
  useSession()
  return <Link to="/transaction/42">Open</Link>
}

/** A page that asks for the deal, too. */
const HomeWithDeal = () => (
  <>
    <Home />
    <DealTitle />
  </>
)

/** A page of a deal whose code comes when the test says so, opened by a link of another page. It is known who is signed in. */
async function start(First: ComponentType = Home) {
  let arrive = () => {}
  const code = new Promise<{ Component: ComponentType }>(resolve => {
    arrive = () => resolve({ Component: DealTitle })
  })
  const page = { path: '/transaction/:id', loader: readTransaction, lazy: () => code }
  showRoutes([{ path: '/', Component: First }, forUsers([page])], '/')
  await act(refreshCurrentUser)
  return { arrive: () => act(async () => arrive()) }
}

const READ = 'GET /api/transactions/42'
const count = (calls: readonly string[]) => calls.filter(call => call === READ).length

test('what a page reads first is asked while its code is loaded, and only once', async () => {
  const { calls } = fakeServer({ 'GET /api/auth/user': () => ({ body: ben }), [READ]: () => ({ body: transaction() }) })
  const { arrive } = await start()
  await userEvent.click(screen.getByRole('link', { name: 'Open' }))
  await waitFor(() => expect(count(calls)).toBe(1))
  expect(screen.getByRole('link', { name: 'Open' })).toBeTruthy()
  await arrive()
  expect(await screen.findByText('Oak chair')).toBeTruthy()
  expect(count(calls)).toBe(1)
})

test('what was asked for one person is not shown to the next', async () => {
  let user = { ...ben }
  const { calls } = fakeServer({
    'GET /api/auth/user': () => ({ body: user }),
    [READ]: () => (user.id === ben.id ? refusal('TRANSACTION_NOT_FOUND') : { body: transaction() }),
  })
  const { arrive } = await start()
  await userEvent.click(screen.getByRole('link', { name: 'Open' }))
  await waitFor(() => expect(count(calls)).toBe(1))
  user = { ...anaSignedIn }
  await act(refreshCurrentUser)
  await arrive()
  expect(await screen.findByText('Oak chair')).toBeTruthy()
  expect(count(calls)).toBe(2)
})

test('what a page that was left before it opened has asked is asked again when the page is opened', async () => {
  const { calls } = fakeServer({ 'GET /api/auth/user': () => ({ body: ben }), [READ]: () => ({ body: transaction() }) })
  const { arrive } = await start()
  await userEvent.click(screen.getByRole('link', { name: 'Open' }))
  await waitFor(() => expect(count(calls)).toBe(1))
  await userEvent.click(screen.getByRole('link', { name: 'Open' }))
  await arrive()
  expect(await screen.findByText('Oak chair')).toBeTruthy()
  expect(count(calls)).toBe(2)
})

const titled = (title: string) => transaction({ listing: { ...transaction().listing, title } })

test.each([
  ['a change of the deal', () => refreshAfter({ kind: 'transaction', transactionId: 42 })],
  ['a command that makes the route stale', () => refresh(routes.getTransaction)],
])('what was asked before %s is asked again', async (_, change) => {
  let title = 'Oak chair'
  fakeServer({ 'GET /api/auth/user': () => ({ body: ben }), [READ]: () => ({ body: titled(title) }) })
  const { arrive } = await start()
  await userEvent.click(screen.getByRole('link', { name: 'Open' }))
  title = 'Oak table'
  await act(change)
  await arrive()
  expect(await screen.findByText('Oak table')).toBeTruthy()
})

test('what the page before asks just then is not asked ahead', async () => {
  const { isAnswered, answer } = later()
  const { calls } = fakeServer({
    'GET /api/auth/user': () => ({ body: ben }),
    [READ]: async () => {
      await isAnswered
      return { body: transaction() }
    },
  })
  const { arrive } = await start(HomeWithDeal)
  await waitFor(() => expect(count(calls)).toBe(1))
  await userEvent.click(screen.getByRole('link', { name: 'Open' }))
  await arrive()
  answer()
  expect(await screen.findByText('Oak chair')).toBeTruthy()
  expect(count(calls)).toBe(1)
})

test('a page that broke before it took its answer asks again when it is opened again', async () => {
  const { calls } = fakeServer({ 'GET /api/auth/user': () => ({ body: ben }), [READ]: () => ({ body: transaction() }) })
  await start()
  const ask = () => readTransaction({ request: new Request('http://localhost/'), params: { id: '42' } } as never, {})
  ask()
  ask()
  await waitFor(() => expect(count(calls)).toBe(2))
})

test('nothing is asked ahead for somebody who is signed out', async () => {
  const { calls } = fakeServer({ 'GET /api/auth/user': () => refusal('UNAUTHENTICATED') })
  const { arrive } = await start()
  await userEvent.click(screen.getByRole('link', { name: 'Open' }))
  await arrive()
  expect(await screen.findByLabelText('Password')).toBeTruthy()
  expect(count(calls)).toBe(0)
})
