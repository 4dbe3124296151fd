import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, refusal } from '../../../test/fake-server.js'
import { ben } from '../../../test/people.js'
import { show } from '../../../test/show.js'
import AuthPage from './auth-page.js'
import { keepSignIn } from './begun-sign-in.js'
import ProviderSignInPage from './provider-sign-in-page.js'

afterEach(() => {
  cleanup()
  sessionStorage.clear()
})

const asked = (...methods: string[]) => refusal('SECOND_FACTOR_REQUIRED', undefined, { methods })

/** A server with an account whose password is right; `finish` answers the second step. */
function serverAsking(methods: string[], finish: (code: unknown) => ReturnType<typeof refusal> | null) {
  let signedIn = false
  return fakeServer({
    'GET /api/auth/user': () => (signedIn ? { body: ben } : refusal('UNAUTHENTICATED')),
    'POST /api/auth/signin': () => asked(...methods),
    'POST /api/auth/oidc': () => asked(...methods),
    'POST /api/auth/signin/second-step/passkey': () => ({ body: { options: {} } }),
    'POST /api/auth/signin/second-step': ({ body }) => {
      const refused = finish((body as { code: unknown }).code)
      signedIn = refused === null
      return refused ?? { body: { user: ben } }
    },
  })
}

async function firstStep() {
  show(<AuthPage />, '/auth')
  await userEvent.type(screen.getByLabelText('Email'), 'ben@example.com')
  await userEvent.type(screen.getByLabelText('Password'), 'correct horse')
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  await screen.findByRole('heading', { name: 'One more step' })
}

test('the code of the app is asked for after the password, and its refusal is at the field', async () => {
  serverAsking(['authenticator', 'recovery_code'], code =>
    code === '123456' ? null : refusal('VALIDATION_FAILED', undefined, { fields: { code: 'This code is not right' } }),
  )
  await firstStep()
  expect(screen.queryByText('Invalid email or password')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Use a Passkey' })).toBeNull()
  const field = await screen.findByLabelText('Code of your authenticator app')
  expect(field.getAttribute('autocomplete')).toBe('one-time-code')
  await waitFor(() => expect(document.activeElement).toBe(field))
  await userEvent.type(field, '000000{Enter}')
  expect(await screen.findByText('This code is not right')).toBeTruthy()
  await userEvent.clear(field)
  await userEvent.type(field, '123456{Enter}')
  expect(await screen.findByText('At /dashboard')).toBeTruthy()
})

test('a recovery code takes the place of the app, and too many wrong ones say how long to wait', async () => {
  serverAsking(['authenticator', 'recovery_code'], () => ({
    ...refusal('RATE_LIMITED', 'Too many wrong codes.', { retryAfterSeconds: 300 }),
    headers: { 'retry-after': '300' },
  }))
  await firstStep()
  await userEvent.click(await screen.findByRole('button', { name: 'Use a Recovery Code' }))
  await userEvent.type(screen.getByLabelText('Recovery code'), 'AAAA-BBBB{Enter}')
  expect(await screen.findByText('Too many attempts. Please try again in 5 minutes.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Use a Code of the App' })).toBeTruthy()
})

test('an account with a passkey alone asks for it; a browser that has none says so', async () => {
  const { calls } = serverAsking(['passkey', 'recovery_code'], () => null)
  await firstStep()
  const button = await screen.findByRole('button', { name: 'Use a Passkey' })
  expect(screen.queryByLabelText('Code of your authenticator app')).toBeNull()
  await userEvent.click(button)
  expect(await screen.findByText('This browser cannot use passkeys.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Start Again' }))
  expect(await screen.findByLabelText('Password')).toBeTruthy()
  expect(calls).not.toContain('POST /api/auth/signin/second-step')
})

test('a sign-in at a provider asks for it, too, and then goes on where it wanted', async () => {
  serverAsking(['authenticator'], () => null)
  keepSignIn({ secret: 'a secret', next: '/messages' })
  show(<ProviderSignInPage />, '/auth/callback?code=c1&state=s1', '/auth/callback')
  await userEvent.type(await screen.findByLabelText('Code of your authenticator app'), '123456{Enter}')
  expect(await screen.findByText('At /messages')).toBeTruthy()
})
