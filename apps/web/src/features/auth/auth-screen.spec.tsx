import { ERROR_MESSAGES } from '@holdfast/kernel/errors'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, noAnswer, refusal } from '../../../test/fake-server.js'
import { ben } from '../../../test/people.js'
import { show } from '../../../test/show.js'
import AuthPage from './auth-page.js'
import AuthScreen from './auth-screen.js'

const signedOut = () => refusal('UNAUTHENTICATED')

async function signIn() {
  await userEvent.type(screen.getByLabelText('Email'), 'ben@example.com')
  await userEvent.type(screen.getByLabelText('Password'), 'correct horse')
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
}

test('signing up says what a password must be like before one is refused', async () => {
  fakeServer({ 'GET /api/auth/user': signedOut })
  show(<AuthScreen />, '/auth?tab=sign-up', '/auth')
  expect(
    await screen.findByText(
      'At least 8 characters. Not a common password, a simple pattern, or made of your name, username or email.',
    ),
  ).toBeTruthy()
})

describe('signing in', () => {
  test('asks afresh who is signed in and goes to the dashboard', async () => {
    let signedIn = false
    const { calls } = fakeServer({
      'GET /api/auth/user': () => (signedIn ? { body: ben } : signedOut()),
      'POST /api/auth/signin': ({ body }) => {
        expect(body).toEqual({ email: 'ben@example.com', password: 'correct horse' })
        signedIn = true
        return { body: { user: ben } }
      },
    })
    show(<AuthPage />, '/auth')
    await signIn()
    expect(await screen.findByText('At /dashboard')).toBeTruthy()
    expect(await screen.findByText('Signed in successfully!')).toBeTruthy()
    expect(calls.slice(calls.indexOf('POST /api/auth/signin') + 1)).toContain('GET /api/auth/user')
  })

  test('says what the spec says when it is refused, and lets one try again', async () => {
    fakeServer({
      'GET /api/auth/user': signedOut,
      'POST /api/auth/signin': () => refusal('INVALID_CREDENTIALS'),
    })
    show(<AuthScreen />, '/auth')
    await signIn()
    expect(await screen.findByText('Invalid email or password')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Sign In' })).toHaveProperty('disabled', false)
  })

  test('on a protected page it keeps the address', async () => {
    fakeServer({
      'GET /api/auth/user': () => ({ body: ben }),
      'POST /api/auth/signin': () => ({ body: { user: ben } }),
    })
    show(<AuthScreen />, '/messages')
    await signIn()
    expect(await screen.findByText('Signed in successfully!')).toBeTruthy()
    expect(screen.queryByText('At /dashboard')).toBeNull()
  })
})

test('a user who is already signed in is led to the dashboard', async () => {
  fakeServer({ 'GET /api/auth/user': () => ({ body: ben }) })
  show(<AuthPage />, '/auth')
  expect(await screen.findByText('At /dashboard')).toBeTruthy()
})

test('a refused password shows its reason, and not that the email may be in use', async () => {
  const password = 'Too easy to guess: choose a longer or less common password'
  fakeServer({
    'GET /api/auth/user': signedOut,
    'POST /api/auth/signup': () => refusal('VALIDATION_FAILED', undefined, { fields: { password } }),
  })
  show(<AuthScreen />, '/auth?tab=sign-up', '/auth')
  for (const [label, text] of Object.entries({ 'First Name': 'Ben', 'Last Name': 'Okafor', Username: 'ben' })) {
    await userEvent.type(screen.getByLabelText(label), text)
  }
  await userEvent.type(screen.getByLabelText('Email'), 'ben@example.com')
  await userEvent.type(screen.getByLabelText('Password'), 'qwertyuiop')
  await userEvent.click(screen.getByRole('button', { name: 'Create Account' }))
  expect(await screen.findByText(password)).toBeTruthy()
  expect(screen.queryByText(/Email may already be in use/)).toBeNull()
})

test('signing up shows a taken username at its field', async () => {
  fakeServer({
    'GET /api/auth/user': signedOut,
    'POST /api/auth/signup': () => refusal('USERNAME_TAKEN'),
  })
  show(<AuthScreen />, '/auth?tab=sign-up', '/auth')
  for (const [label, text] of Object.entries({ 'First Name': 'Ben', 'Last Name': 'Okafor', Username: 'ben' })) {
    await userEvent.type(screen.getByLabelText(label), text)
  }
  await userEvent.type(screen.getByLabelText('Email'), 'ben@example.com')
  await userEvent.type(screen.getByLabelText('Password'), 'correct horse')
  await userEvent.click(screen.getByRole('button', { name: 'Create Account' }))
  expect(await screen.findByText(ERROR_MESSAGES.USERNAME_TAKEN)).toBeTruthy()
  expect(screen.queryByText(/Email may already be in use/)).toBeNull()
  expect(screen.getByLabelText('Username').getAttribute('aria-invalid')).toBe('true')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Username')))
})

test('signing up says at once what is missing and how a username is written', async () => {
  fakeServer({ 'GET /api/auth/user': signedOut })
  show(<AuthScreen />, '/auth?tab=sign-up', '/auth')
  await userEvent.type(screen.getByLabelText('Username'), 'a b')
  await userEvent.click(screen.getByRole('button', { name: 'Create Account' }))
  expect(await screen.findByText('Enter your first name')).toBeTruthy()
  expect(screen.getByText(/^3 to 30 letters, digits/)).toBeTruthy()
})

test('signing up without a name sends nothing and leads to the first field that is missing', async () => {
  const { calls } = fakeServer({ 'GET /api/auth/user': signedOut })
  show(<AuthScreen />, '/auth?tab=sign-up', '/auth')
  await userEvent.type(screen.getByLabelText('First Name'), 'Ben')
  await userEvent.click(screen.getByRole('button', { name: 'Create Account' }))
  expect(await screen.findByText('Enter your last name')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Last Name')))
  expect(calls).not.toContain('POST /api/auth/signup')
})

test('signing in without an answer does not say that one is signed out', async () => {
  fakeServer({
    'GET /api/auth/user': signedOut,
    'POST /api/auth/signin': noAnswer,
  })
  show(<AuthScreen />, '/auth')
  await signIn()
  expect(await screen.findByText('We could not tell whether you are signed in.')).toBeTruthy()
})
