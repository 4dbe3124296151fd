import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, refusal } from '../../test/fake-server.js'
import { anaSignedIn, ben } from '../../test/people.js'
import { showRoutes } from '../../test/show.js'
import { refreshCurrentUser, signOut } from '../lib/current-user.js'
import { endSignOut } from '../lib/pending-sign-out.js'
import { forUsers } from './protected.js'

const routes = [
  forUsers([
    { path: '/private', element: <p>Private</p>, handle: { title: 'Sign In Required' } },
    { path: '/note', element: <input aria-label="Note" /> },
  ]),
]

test('a signed-in user sees the page', async () => {
  fakeServer({ 'GET /api/auth/user': () => ({ body: ben }) })
  showRoutes(routes, '/private')
  expect(await screen.findByText('Private')).toBeTruthy()
})

test('a 401 shows the sign-in screen instead', async () => {
  fakeServer({ 'GET /api/auth/user': () => refusal('UNAUTHENTICATED') })
  showRoutes(routes, '/private')
  expect(await screen.findByRole('heading', { name: 'Sign In Required' })).toBeTruthy()
  expect(screen.queryByText('Private')).toBeNull()
})

test('a server error does not sign the user out: the page says so and asks again', async () => {
  let broken = true
  fakeServer({
    'GET /api/auth/user': () => (broken ? refusal('UNAVAILABLE', 'Please try again.') : { body: ben }),
  })
  showRoutes(routes, '/private')
  expect(await screen.findByText('We could not find out whether you are signed in')).toBeTruthy()
  expect(screen.queryByLabelText('Password')).toBeNull()
  broken = false
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByText('Private')).toBeTruthy()
})

afterEach(endSignOut)

test('signing out hides the page even when the server does not answer it', async () => {
  fakeServer({ 'GET /api/auth/user': () => ({ body: ben }) })
  showRoutes(routes, '/private')
  await screen.findByText('Private')
  fakeServer({
    'GET /api/auth/user': () => refusal('UNAUTHENTICATED'),
    'POST /api/auth/logout': () => refusal('INTERNAL'),
  })
  await act(signOut)
  expect(await screen.findByRole('heading', { name: 'Sign In Required' })).toBeTruthy()
  expect(screen.queryByText('Private')).toBeNull()
})

test('a user whose session ends reads so, and the message has the focus', async () => {
  fakeServer({ 'GET /api/auth/user': () => ({ body: ben }) })
  showRoutes(routes, '/private')
  await screen.findByText('Private')
  fakeServer({ 'GET /api/auth/user': () => refusal('UNAUTHENTICATED') })
  await act(refreshCurrentUser)
  expect(await screen.findByText('You have been signed out')).toBeTruthy()
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Sign in again to go on where you were.'))
})

test('a visitor who was never signed in does not read that a session ended', async () => {
  fakeServer({ 'GET /api/auth/user': () => refusal('UNAUTHENTICATED') })
  showRoutes(routes, '/private')
  await screen.findByRole('heading', { name: 'Sign In Required' })
  expect(screen.queryByText('You have been signed out')).toBeNull()
})

test('what one person typed is not there for the next, also when the account was changed in another tab', async () => {
  fakeServer({ 'GET /api/auth/user': () => ({ body: ben }) })
  showRoutes(routes, '/note')
  await userEvent.type(await screen.findByLabelText('Note'), 'from Ben')
  await act(refreshCurrentUser)
  expect(screen.getByLabelText<HTMLInputElement>('Note').value).toBe('from Ben')
  fakeServer({ 'GET /api/auth/user': () => ({ body: anaSignedIn }) })
  await act(refreshCurrentUser)
  expect(screen.getByLabelText<HTMLInputElement>('Note').value).toBe('')
})
