import type { Subscription } from '@holdfast/contracts/subscriptions'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer } from '../../../test/fake-server.js'
import { invoice, premiumPlan, standardPlan } from '../../../test/plans.js'
import { show } from '../../../test/show.js'
import { Invoices } from './invoices.js'
import { PlanSection } from './plan-section.js'

function serve(first: Subscription) {
  let subscription = first
  const change = (next: Partial<Subscription>) => () => {
    subscription = { ...subscription, ...next }
    return { body: subscription }
  }
  const server = fakeServer({
    'GET /api/subscription': () => ({ body: subscription }),
    'GET /api/subscription/invoices': () => ({
      body: [invoice(), invoice({ id: 'in_2', status: 'void', paidAt: null })],
    }),
    'POST /api/subscription/cancel': change({ cancelsAtPeriodEnd: true }),
    'POST /api/subscription/resume': change({ cancelsAtPeriodEnd: false }),
  })
  show(<PlanSection />)
  return server
}

test('Premium says what is charged next, to which card, and links its invoices', async () => {
  serve(premiumPlan())
  expect(await screen.findByText('$30.00 is charged to Visa ending in 4242 on Dec 24, 2026.')).toBeTruthy()
  const links = await screen.findAllByRole('link', { name: 'Nov 24, 2026' })
  expect(links.map(link => link.getAttribute('href'))).toEqual(['/invoice?id=in_1', '/invoice?id=in_2'])
  expect(screen.getByText('Void')).toBeTruthy()
})

test('Premium is cancelled after a question, and can be resumed', async () => {
  serve(premiumPlan())
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel Premium' }))
  const dialog = await screen.findByRole('alertdialog')
  expect(dialog.textContent).toContain(
    'You keep Premium for the time that you have paid: until Dec 24, 2026 at the latest.',
  )
  await userEvent.click(screen.getAllByRole('button', { name: 'Cancel Premium' }).at(-1)!)
  expect(await screen.findByText('Premium ends on Dec 24, 2026. Nothing more is charged.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Resume Premium' }))
  expect(await screen.findByText(/is charged to Visa/)).toBeTruthy()
})

test('a declined card says until when Premium lasts, and leads to the payment', async () => {
  serve(premiumPlan({ status: 'past_due', premiumUntil: '2026-12-31T12:00:00.000Z' }))
  expect(
    await screen.findByText('$30.00 could not be charged to Visa ending in 4242. You keep Premium until Dec 31, 2026.'),
  ).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Pay Now' }).getAttribute('href')).toBe('/subscribe')
  await userEvent.click(screen.getByRole('button', { name: 'Cancel Premium' }))
  expect((await screen.findByRole('alertdialog')).textContent).toContain('Premium ends at once')
})

test('a declined card can be paid also when Premium is to end with the period', async () => {
  serve(premiumPlan({ status: 'past_due', premiumUntil: '2026-12-31T12:00:00.000Z', cancelsAtPeriodEnd: true }))
  expect(await screen.findByRole('link', { name: 'Pay Now' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Cancel Premium' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Resume Premium' })).toBeNull()
})

test('after the days of grace the Standard fee is named', async () => {
  serve(premiumPlan({ plan: 'standard', status: 'past_due' }))
  expect(await screen.findByText(/The Standard fee of 1.5% applies until you pay/)).toBeTruthy()
})

test('who never had Premium is led to it, and has no invoices', async () => {
  const { calls } = serve(standardPlan)
  expect(await screen.findByRole('link', { name: 'Upgrade to Premium' })).toBeTruthy()
  expect(calls).not.toContain('GET /api/subscription/invoices')
})

test.each([
  ['refund', 'Your payment for Premium was refunded.'],
  ['chargeback', 'Your bank took back your payment for Premium.'],
] as const)(
  'after a %s of its period Premium says why it has ended, and cannot be resumed',
  async (moneyBack, words) => {
    serve(premiumPlan({ plan: 'standard', moneyBack, cancelsAtPeriodEnd: true }))
    expect(await screen.findByText(new RegExp(`^${words} Nothing more is charged`))).toBeTruthy()
    expect(screen.getByText('Ended')).toBeTruthy()
    expect(screen.queryByRole('button')).toBeNull()
  },
)

test('an invoice whose money went back says so', async () => {
  fakeServer({
    'GET /api/subscription': () => ({ body: standardPlan }),
    'GET /api/subscription/invoices': () => ({ body: [invoice({ returned: '30.00' })] }),
  })
  show(<Invoices />)
  expect((await screen.findByText(/went back to you/)).textContent).toBe('$30.00 went back to you')
})
