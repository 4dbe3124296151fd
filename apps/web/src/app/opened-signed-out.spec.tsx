/** A page that was just opened.
 * @jest-environment-options {"ownModules": true}
 */
import '../../test/opened-by-visitor.js'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, refusal } from '../../test/fake-server.js'
import { later } from '../../test/later.js'
import { ben } from '../../test/people.js'
import { show } from '../../test/show.js'
import { Protected } from './protected.js'
import { StartupGate } from './startup-gate.js'

test('the sign-in form keeps what was typed after a refusal, also while it is found out who is signed in', async () => {
  const typed = { email: 'ben@example.com', password: 'another one' }
  let isRight = false
  const { isAnswered, answer } = later()
  const { calls } = fakeServer({
    'GET /api/auth/user': async () => {
      await isAnswered
      return isRight ? { body: ben } : refusal('UNAUTHENTICATED')
    },
    'POST /api/auth/signin': () => (isRight ? { body: { user: ben } } : refusal('INVALID_CREDENTIALS')),
  })
  const value = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value
  show(
    <Protected>
      <p>Private</p>
    </Protected>,
  )
  await userEvent.type(await screen.findByLabelText('Email'), typed.email)
  await userEvent.type(screen.getByLabelText('Password'), typed.password)

  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  await waitFor(() => expect(calls).toContain('GET /api/auth/user'))
  // A part of the page that is loaded later asks too.
  render(<StartupGate>Loaded later</StartupGate>)
  await waitFor(() => expect(calls.filter(call => call === 'GET /api/auth/user')).toHaveLength(2))
  expect(value('Email')).toBe(typed.email)
  answer()

  expect(await screen.findByText('Invalid email or password')).toBeTruthy()
  const again = await screen.findByRole('button', { name: 'Sign In' })
  expect(value('Email')).toBe(typed.email)
  expect(value('Password')).toBe(typed.password)

  isRight = true
  await userEvent.click(again)
  expect(await screen.findByText('Private')).toBeTruthy()
})
