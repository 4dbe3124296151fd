import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, noAnswer, refusal } from '../../../test/fake-server.js'
import { ben } from '../../../test/people.js'
import { show } from '../../../test/show.js'
import AuthScreen from './auth-screen.js'
import { keepSignIn, takeSignIn } from './begun-sign-in.js'
import ProviderSignInPage from './provider-sign-in-page.js'

afterEach(() => {
  cleanup()
  sessionStorage.clear()
})

const signedOut = () => refusal('UNAUTHENTICATED')
const ANSWER = '?code=c1&state=s1'
const comeBack = () => show(<ProviderSignInPage />, `/auth/callback${ANSWER}`, '/auth/callback')

test('the browser comes back from the provider, is signed in once, and goes on where it wanted', async () => {
  let signedIn = false
  const sent: unknown[] = []
  fakeServer({
    'GET /api/auth/user': () => (signedIn ? { body: ben } : signedOut()),
    'POST /api/auth/oidc': ({ body }) => {
      sent.push(body)
      signedIn = true
      return { body: { user: ben } }
    },
  })
  keepSignIn({ secret: 'a secret', next: '/messages' })
  comeBack()
  expect(await screen.findByText('At /messages')).toBeTruthy()
  expect(sent).toEqual([{ secret: 'a secret', answer: ANSWER }])
  expect(takeSignIn()).toBeNull()
})

test.each([
  ['a refusal', () => refusal('SIGN_IN_EMAIL_IN_USE'), /An account has this e-mail address already/],
  ['one that was used', () => refusal('GONE'), /has expired, was used already/],
  ['no answer', noAnswer, /The server gave no answer/],
])('it says in words why nobody is signed in: %s', async (_, answer, words) => {
  fakeServer({ 'GET /api/auth/user': signedOut, 'POST /api/auth/oidc': answer })
  keepSignIn({ secret: 'a secret', next: '/dashboard' })
  comeBack()
  expect(await screen.findByText(words)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Back to Sign In' }).getAttribute('href')).toBe('/auth')
})

test('another browser, which did not begin it, sends nothing', async () => {
  const { calls } = fakeServer({ 'GET /api/auth/user': signedOut })
  comeBack()
  expect(await screen.findByText(/began in another browser or tab/)).toBeTruthy()
  expect(calls).not.toContain('POST /api/auth/oidc')
})

test('a provider that is not connected says so and leads to the dashboard; one that is away leaves the visitor there', async () => {
  fakeServer({
    'GET /api/auth/user': signedOut,
    'POST /api/auth/oidc/apple': () => refusal('SIGN_IN_PROVIDER_UNAVAILABLE'),
    'POST /api/auth/oidc/google': () => refusal('NOT_FOUND'),
  })
  show(<AuthScreen />, '/auth')
  await userEvent.click(await screen.findByRole('button', { name: 'Continue with Apple' }))
  expect(await screen.findByText(/could not be reached/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Continue with Google' }))
  expect(await screen.findByText('Google is not connected here')).toBeTruthy()
  expect(await screen.findByText('At /dashboard')).toBeTruthy()
})
