import type { PayoutAccount, PayoutsOverview } from '@holdfast/contracts/payouts'
import { PAYOUT_BLOCK_TEXTS, PAYOUT_BLOCKS, type PayoutBlock } from '@holdfast/kernel/payouts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, refusal } from '../../../test/fake-server.js'
import { payout, payouts, readyAccount } from '../../../test/payouts.js'
import { ben } from '../../../test/people.js'
import { standardPlan } from '../../../test/plans.js'
import { show } from '../../../test/show.js'
import { Protected } from '../../app/protected.js'
import PaymentsTab from './payments-tab.js'

/** A user without Premium and without a saved card. */
const PLAN_AND_CARDS = {
  'GET /api/subscription': () => ({ body: standardPlan }),
  'GET /api/payment-methods': () => ({ body: [] }),
}

const serve = (overview: PayoutsOverview, account: PayoutAccount = readyAccount, more = {}) =>
  fakeServer({
    'GET /api/payouts': () => ({ body: overview }),
    'GET /api/payouts/history': () => ({ body: overview.payouts }),
    'GET /api/payments': () => ({ body: [] }),
    'GET /api/payout-account': () => ({ body: account }),
    ...PLAN_AND_CARDS,
    ...more,
  })

test('a seller pays out all that is available, and reads where it is', async () => {
  let overview = payouts()
  const keys: (string | null)[] = []
  fakeServer({
    'GET /api/payouts': () => ({ body: overview }),
    'GET /api/payouts/history': () => ({ body: overview.payouts }),
    'GET /api/payments': () => ({ body: [] }),
    'GET /api/payout-account': () => ({ body: readyAccount }),
    ...PLAN_AND_CARDS,
    'POST /api/payouts': ({ headers }) => {
      keys.push(headers.get('idempotency-key'))
      const made = payout({ status: 'scheduled' })
      overview = payouts({ available: '0.00', inTransit: '98.50', blockedBy: 'nothing_available', payouts: [made] })
      return { status: 201, body: made }
    },
  })
  show(<PaymentsTab />)
  await userEvent.click(await screen.findByRole('button', { name: 'Pay Out Now' }))
  expect(await screen.findByText('Set aside for Test Bank ending in 6789. The payment provider has not sent it yet.'))
  expect(screen.getByText('Scheduled')).toBeTruthy()
  expect(screen.queryByText('Paid out', { selector: 'span' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Pay Out Now' })).toBeNull()
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
})

test('a payout that came back says so, why, and where the money is', async () => {
  const failure = 'The bank account has been closed.'
  serve(payouts({ blockedBy: 'account_restricted', payouts: [payout({ status: 'returned', failure })] }))
  show(<PaymentsTab />)
  await screen.findByText(`Did not reach Test Bank ending in 6789 and went back to your balance. ${failure}`)
  expect(screen.getByText('Returned')).toBeTruthy()
})

test('a payout that failed and whose money is not back yet is on its way back, not in transit', async () => {
  const failure = 'The bank account has been closed.'
  serve(payouts({ payouts: [payout({ status: 'in_transit', failure })] }))
  show(<PaymentsTab />)
  await screen.findByText(`Did not reach Test Bank ending in 6789 and is on its way back to your balance. ${failure}`)
  expect(screen.getByText('On its way back')).toBeTruthy()
  expect(screen.queryByText('In transit')).toBeNull()
})

test.each(PAYOUT_BLOCKS)('nothing can be paid out by a button while the reason is %s', async blockedBy => {
  serve(payouts({ blockedBy, nextPayoutAt: null }), readyAccount, { 'GET /api/auth/user': () => ({ body: ben }) })
  show(
    <Protected>
      <PaymentsTab />
    </Protected>,
  )
  await screen.findByText(blockedBy === 'nothing_available' ? /nothing to pay out/ : 'Nothing is paid out now')
  expect(screen.queryByRole('button', { name: 'Pay Out Now' })).toBeNull()
})

test('all that keeps a payout from being made is said at once, with what can be done about it', async () => {
  const blocks: PayoutBlock[] = ['not_verified', 'email_not_confirmed', 'no_account']
  serve(payouts({ blockedBy: 'not_verified', blocks, nextPayoutAt: null }), readyAccount, {
    'GET /api/auth/user': () => ({ body: { ...ben, emailConfirmed: false } }),
  })
  show(
    <Protected>
      <PaymentsTab />
    </Protected>,
  )
  for (const block of blocks) expect(await screen.findByText(PAYOUT_BLOCK_TEXTS[block])).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Identity Verification' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Send the Link Again' })).toBeTruthy()
})

test('payouts that wait for a changed account say until when', async () => {
  serve(payouts({ blockedBy: 'account_changed', waitsUntil: '2099-11-30T10:00:00.000Z', nextPayoutAt: null }))
  show(<PaymentsTab />)
  expect(await screen.findByText(PAYOUT_BLOCK_TEXTS.account_changed)).toBeTruthy()
  expect(screen.getByText(/^Otherwise they wait until .+2099/)).toBeTruthy()
})

test('the form of the payout account opens only after the person has confirmed who they are', async () => {
  let isConfirmed = false
  const { calls } = serve(payouts(), readyAccount, {
    'PUT /api/payout-account': () =>
      isConfirmed
        ? { body: { status: 'ready', onboardingUrl: '#the-form-of-the-provider' } }
        : refusal('CONFIRMATION_REQUIRED', undefined, { methods: ['authenticator', 'recovery_code'] }),
    'POST /api/auth/confirm': () => {
      isConfirmed = true
      return { status: 204 }
    },
  })
  show(<PaymentsTab />)
  await userEvent.click(await screen.findByRole('button', { name: 'Change Payout Account' }))
  await userEvent.type(await screen.findByLabelText('Code'), '123456{Enter}')
  expect(screen.queryByLabelText('Password')).toBeNull()
  await waitFor(() => expect(calls.filter(call => call.startsWith('PUT'))).toHaveLength(2))
})

test('who has not confirmed their address can have the link mailed again', async () => {
  const sent: string[] = []
  serve(payouts({ blockedBy: 'email_not_confirmed', nextPayoutAt: null }), readyAccount, {
    'GET /api/auth/user': () => ({ body: { ...ben, emailConfirmed: false } }),
    'POST /api/auth/verify-email/send': () => {
      sent.push('mail')
      return { status: 204 }
    },
  })
  show(
    <Protected>
      <PaymentsTab />
    </Protected>,
  )
  expect(await screen.findByText('You have not confirmed your e-mail address yet.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Send the Link Again' }))
  expect(await screen.findByText('Look into the mailbox of ben@example.com.')).toBeTruthy()
  expect(sent).toEqual(['mail'])
})

test('a refusal is shown with its reason', async () => {
  serve(payouts(), readyAccount, {
    'POST /api/payouts': () => refusal('PAYOUT_NOT_POSSIBLE'),
  })
  show(<PaymentsTab />)
  await userEvent.click(await screen.findByRole('button', { name: 'Pay Out Now' }))
  await screen.findByText('This payout was not started')
})

test('what the specification words is there: no payment methods, and an empty history', async () => {
  serve(payouts({ blockedBy: 'no_account', available: '0.00' }), { status: 'none', bankLabel: null, reason: null })
  show(<PaymentsTab />)
  await screen.findByRole('button', { name: 'Add Payout Account' })
  expect(await screen.findByText('No payment methods')).toBeTruthy()
  expect(await screen.findByText('No transaction history')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Add Payment Method' })).toBeTruthy()
})

describe('a chargeback after the release', () => {
  const chargeback = (status: 'open' | 'lost') => ({
    ...{ transactionId: 7, title: 'Camera', status, amount: '98.50' },
    since: '2026-11-23T10:00:00.000Z',
  })

  test('that is open says what it may take, and that this waits', async () => {
    serve(payouts({ chargebacks: [chargeback('open')] }))
    show(<PaymentsTab />)
    const camera = await screen.findByRole('link', { name: 'Camera' })
    expect(camera.getAttribute('href')).toBe('/transaction/7')
    expect(
      screen.getByText(
        /asked for the payment back on Nov 23, 2026\. Until the bank decides, only what your balance has above this amount is paid out\./,
      ),
    ).toBeTruthy()
    expect(screen.getByText('Bank decides')).toBeTruthy()
    expect(screen.queryByText(/below zero/)).toBeNull()
  })

  test('that was lost says what it took, and how a balance below zero is repaid, whatever else stops payouts', async () => {
    serve(payouts({ available: '-98.50', blockedBy: 'not_verified', chargebacks: [chargeback('lost')] }))
    show(<PaymentsTab />)
    await screen.findByText(/gave the payment back on Nov 23, 2026\. This amount was taken from your balance/)
    expect(screen.getAllByText('-$98.50')).toHaveLength(2)
    expect(screen.getByText(/Your next sales repay it/)).toBeTruthy()
  })

  test('that was lost says only once how the balance is repaid', async () => {
    serve(payouts({ available: '-98.50', blockedBy: 'negative_balance', chargebacks: [chargeback('lost')] }))
    show(<PaymentsTab />)
    await screen.findByRole('heading', { name: 'Chargebacks' })
    expect(screen.getAllByText(/Your next sales repay it/)).toHaveLength(1)
  })
})
