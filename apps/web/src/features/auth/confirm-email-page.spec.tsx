import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, refusal } from '../../../test/fake-server.js'
import { ben } from '../../../test/people.js'
import { show } from '../../../test/show.js'
import ConfirmEmailPage from './confirm-email-page.js'

/** Opens a link that has expired or was used, and presses the button. */
async function useDeadLink(user: object) {
  fakeServer({
    'GET /api/auth/user': () => ({ body: user }),
    'POST /api/auth/verify-email': () => refusal('GONE'),
  })
  show(<ConfirmEmailPage />, '/auth/confirm#token')
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm This Address' }))
}

test('a dead link tells a user whose address is confirmed that it is', async () => {
  await useDeadLink(ben)
  expect(await screen.findByText('This link has expired or was used already.')).toBeTruthy()
  expect(screen.getByText(ben.email)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Go to Dashboard' })).toBeTruthy()
})

test('a dead link leads a user whose address is not confirmed to a new one', async () => {
  await useDeadLink({ ...ben, emailConfirmed: false })
  expect(await screen.findByText('This link has expired or was used already.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Send a New Link from the Dashboard' })).toBeTruthy()
})

test('a link for another account says so, and names the account that is signed in', async () => {
  fakeServer({
    'GET /api/auth/user': () => ({ body: ben }),
    'POST /api/auth/verify-email': () => refusal('SIGN_IN_TO_CONFIRM'),
  })
  show(<ConfirmEmailPage />, '/auth/confirm#token')
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm This Address' }))
  expect(await screen.findByText('This link is for another account')).toBeTruthy()
  expect(screen.getByText(ben.email)).toBeTruthy()
})
