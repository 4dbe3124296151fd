import type { Obstacle } from '@holdfast/contracts/account'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, type Handler, refusal } from '../../../test/fake-server.js'
import { ben } from '../../../test/people.js'
import { show } from '../../../test/show.js'
import CloseAccountPage from './close-account-page.js'

const CLOSING = '/api/account/closing'
const close = () => userEvent.click(screen.getByRole('button', { name: 'Close My Account for Good' }))
const serverWith = (obstacles: Obstacle[], answer: Handler = () => ({ status: 202 })) => {
  const sent: unknown[] = []
  const server = fakeServer({
    'GET /api/auth/user': () => ({ body: ben }),
    [`GET ${CLOSING}`]: () => ({ body: { obstacles } }),
    [`POST ${CLOSING}`]: request => {
      sent.push(request.body)
      return answer(request)
    },
    'POST /api/auth/confirm': () => ({ status: 204 }),
    'POST /api/auth/logout': () => ({ status: 204 }),
  })
  return { ...server, sent }
}

test('names what stands in the way, with a link to each, and offers no button', async () => {
  serverWith([
    { kind: 'open_deal', transactionId: 7, disputeId: null },
    { kind: 'open_dispute', transactionId: 7, disputeId: 3 },
    { kind: 'balance', transactionId: null, disputeId: null },
    { kind: 'negative_balance', transactionId: null, disputeId: null },
  ])
  show(<CloseAccountPage />)
  expect(await screen.findByText('Your account cannot be closed yet')).toBeTruthy()
  const linkTo = (name: string) => screen.getByRole('link', { name }).getAttribute('href')
  expect(linkTo('Transaction #7')).toBe('/transaction/7')
  expect(linkTo('Dispute #3')).toBe('/disputes/3')
  expect(linkTo('See your payouts')).toBe('/profile?tab=payments')
  expect(linkTo('Write to support')).toBe('/support?tab=contact')
  expect(screen.queryByRole('button', { name: /Close My Account/ })).toBeNull()
})

test('says that what was paid for Premium is lost, and closes the account with the password, and leaves', async () => {
  const { sent } = serverWith([])
  show(<CloseAccountPage />, '/profile/close')
  expect(screen.getByText('Premium ends at once, and what you have paid for it is not refunded.')).toBeTruthy()
  await userEvent.type(await screen.findByLabelText(/^Your Password/), 'correct horse battery')
  await close()
  expect(await screen.findByText('Your account is being closed')).toBeTruthy()
  expect(sent).toEqual([{ currentPassword: 'correct horse battery' }])
  expect(await screen.findByText('At /')).toBeTruthy()
})

test('asks a person who signed in long ago to confirm who they are, and then closes the account', async () => {
  let isConfirmed = false
  const { sent } = serverWith([], () =>
    isConfirmed ? { status: 202 } : refusal('CONFIRMATION_REQUIRED', undefined, { methods: ['password', 'passkey'] }),
  )
  show(<CloseAccountPage />, '/profile/close')
  await screen.findByLabelText(/^Your Password/)
  await close()
  await userEvent.type(await screen.findByLabelText('Password'), 'correct horse battery')
  isConfirmed = true
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
  expect(await screen.findByText('Your account is being closed')).toBeTruthy()
  expect(sent).toEqual([{}, {}])
  expect(await screen.findByText('At /')).toBeTruthy()
})

test('sends no password when the field is empty, and shows at the field that one is needed', async () => {
  const words = 'Enter your password'
  const { sent } = serverWith([], () => refusal('VALIDATION_FAILED', undefined, { fields: { currentPassword: words } }))
  show(<CloseAccountPage />)
  await screen.findByLabelText(/^Your Password/)
  await close()
  expect(await screen.findByText(words)).toBeTruthy()
  expect(sent).toEqual([{}])
})

test('shows what has come up meanwhile', async () => {
  const obstacles: Obstacle[] = []
  serverWith(obstacles, () => {
    obstacles.push({ kind: 'open_deal', transactionId: 9, disputeId: null })
    return refusal('ACCOUNT_IN_USE', undefined, { obstacles })
  })
  show(<CloseAccountPage />)
  await userEvent.type(await screen.findByLabelText(/^Your Password/), 'correct horse battery')
  await close()
  expect(await screen.findByText('Your account was not closed')).toBeTruthy()
  expect(await screen.findByRole('link', { name: 'Transaction #9' })).toBeTruthy()
})
