import { routes } from 'virtual:routes'
import { act, render, screen } from '@testing-library/react'
import { SWRConfig } from 'swr'
import { fakeServer, refusal } from '../../test/fake-server.js'
import { notification } from '../../test/messages.js'
import { anaSignedIn, ben } from '../../test/people.js'
import { isSigningOut, refreshCurrentUser, signOut, useSession } from './current-user.js'
import { refresh, useCall } from './use-call.js'

const FIVE_MINUTES = 300_000

function Private() {
  const { data } = useCall(routes.listNotifications, { query: {} })
  return <p>{data ? `${data.length} notifications` : 'Loading'}</p>
}

function App() {
  const { user } = useSession()
  return user ? <Private /> : <p>{user === null ? 'Signed out' : 'Unknown'}</p>
}

const showApp = () =>
  render(
    <SWRConfig value={{ dedupingInterval: FIVE_MINUTES, errorRetryCount: 0, isPaused: isSigningOut }}>
      <App />
    </SWRConfig>,
  )

/** Ben has one notification, Ana has two. */
function serverOf(whoIsThere: () => typeof ben | null) {
  return fakeServer({
    'GET /api/auth/user': () => {
      const user = whoIsThere()
      return user ? { body: user } : refusal('UNAUTHENTICATED')
    },
    'GET /api/notifications': () => ({
      body: whoIsThere()?.id === ben.id ? [notification(1)] : [notification(1), notification(2)],
    }),
    'POST /api/auth/logout': () => ({ status: 204 }),
  })
}

test('the next person at this browser gets their own data, and gets it at once', async () => {
  let user: typeof ben | null = ben
  serverOf(() => user)
  showApp()
  expect(await screen.findByText('1 notifications')).toBeTruthy()

  user = null
  await act(signOut)
  expect(await screen.findByText('Signed out')).toBeTruthy()

  user = anaSignedIn
  await act(refreshCurrentUser)
  expect(await screen.findByText('2 notifications')).toBeTruthy()
})

test('an account that was changed in another tab takes the old one’s data from the screen', async () => {
  let user: typeof ben | null = ben
  serverOf(() => user)
  showApp()
  expect(await screen.findByText('1 notifications')).toBeTruthy()
  user = anaSignedIn
  await act(refreshCurrentUser)
  expect(await screen.findByText('2 notifications')).toBeTruthy()
})

test('the same person asked for again keeps what was loaded', async () => {
  const { calls } = serverOf(() => ben)
  showApp()
  expect(await screen.findByText('1 notifications')).toBeTruthy()
  await act(refreshCurrentUser)
  expect(calls.filter(call => call === 'GET /api/notifications')).toHaveLength(1)
})

test('what a signed-out person saw is not asked for again', async () => {
  let user: typeof ben | null = ben
  const { calls } = serverOf(() => user)
  showApp()
  expect(await screen.findByText('1 notifications')).toBeTruthy()
  user = null
  await act(refreshCurrentUser)
  expect(await screen.findByText('Signed out')).toBeTruthy()
  expect(calls.filter(call => call === 'GET /api/notifications')).toHaveLength(1)
})

test('nothing is asked for while one signs out, when the session may have ended already', async () => {
  const { calls } = fakeServer({
    'GET /api/auth/user': () => ({ body: ben }),
    'GET /api/notifications': () => ({ body: [notification(1)] }),
    'POST /api/auth/logout': async () => {
      await refresh(routes.listNotifications)
      return { status: 204 }
    },
  })
  showApp()
  expect(await screen.findByText('1 notifications')).toBeTruthy()
  await act(signOut)
  expect(await screen.findByText('Signed out')).toBeTruthy()
  expect(calls.filter(call => call === 'GET /api/notifications')).toHaveLength(1)
})
