import { routes } from 'virtual:routes'
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ComponentType } from 'react'
import { Link } from 'react-router-dom'
import { fakeServer, refusal } from '../../test/fake-server.js'
import { anaSignedIn, ben } from '../../test/people.js'
import { showRoutes } from '../../test/show.js'
import { transaction } from '../../test/transactions.js'
import { refreshCurrentUser, useSession } from '../lib/current-user.js'
import { useCall } from '../lib/use-call.js'
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

/** A page of a deal whose code comes when the test says so. */
function start() {
  let arrive = () => {}
  const code = new Promise<{ Component: ComponentType }>(resolve => {
    arrive = () => resolve({ Component: DealTitle })
  })
  const page = { path: '/transaction/:id', loader: readTransaction, lazy: () => code }
  showRoutes([{ path: '/', Component: Home }, forUsers([page])], '/')
  return { arrive: () => act(async () => arrive()) }
}

const READ = 'GET /api/transactions/42'
const count = (calls: readonly string[]) => calls.filter(call => call === READ).length

test('what a page reads first is asked while its code is loaded, and only once', async () => {
  const { calls } = fakeServer({ 'GET /api/auth/user': () => ({ body: ben }), [READ]: () => ({ body: transaction() }) })
  const { arrive } = start()
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
  const { arrive } = start()
  await waitFor(() => expect(calls).toContain('GET /api/auth/user'))
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
  const { arrive } = start()
  await userEvent.click(screen.getByRole('link', { name: 'Open' }))
  await waitFor(() => expect(count(calls)).toBe(1))
  await userEvent.click(screen.getByRole('link', { name: 'Open' }))
  await arrive()
  expect(await screen.findByText('Oak chair')).toBeTruthy()
  expect(count(calls)).toBe(2)
})
