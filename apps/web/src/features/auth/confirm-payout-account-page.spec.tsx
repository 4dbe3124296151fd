import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, refusal } from '../../../test/fake-server.js'
import { ben } from '../../../test/people.js'
import { show } from '../../../test/show.js'
import ConfirmPayoutAccountPage from './confirm-payout-account-page.js'

const account = { status: 'ready', bankLabel: 'Test Bank ending in 6789', reason: null }
const serve = (confirm: () => object, shown: object = account) =>
  fakeServer({
    'GET /api/auth/user': () => ({ body: ben }),
    'GET /api/payout-account': () => ({ body: shown }),
    'POST /api/payout-account/confirm': confirm as () => { status: number },
  })
const press = async () => userEvent.click(await screen.findByRole('button', { name: 'This Is My Bank Account' }))

test('a payout account is confirmed by a press beside the name of its bank, and by nothing before', async () => {
  const { calls } = serve(() => ({ status: 204 }))
  show(<ConfirmPayoutAccountPage />, '/auth/confirm-payouts#token')
  expect(await screen.findByText('Test Bank ending in 6789')).toBeTruthy()
  expect(calls.filter(call => call.startsWith('POST'))).toEqual([])
  await press()
  expect(await screen.findByText('Your payout account is confirmed')).toBeTruthy()
})

test.each([
  ['GONE', 'This link has expired or was used already.'],
  ['SIGN_IN_TO_CONFIRM', 'This link is for another account'],
] as const)('a link that is refused as %s says why', async (code, words) => {
  serve(() => refusal(code))
  show(<ConfirmPayoutAccountPage />, '/auth/confirm-payouts#token')
  await press()
  expect(await screen.findByText(words)).toBeTruthy()
})

test('an account without a bank account has nothing to confirm', async () => {
  serve(() => ({ status: 204 }), { status: 'none', bankLabel: null, reason: null })
  show(<ConfirmPayoutAccountPage />, '/auth/confirm-payouts#token')
  expect(await screen.findByText(/, so there is nothing to confirm\./)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'This Is My Bank Account' })).toBeNull()
})
