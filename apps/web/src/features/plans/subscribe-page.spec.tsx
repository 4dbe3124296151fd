import type { Subscription } from '@holdfast/contracts/subscriptions'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, refusal } from '../../../test/fake-server.js'
import { intent, providerError } from '../../../test/payments.js'
import { openedSubscription, premiumPlan, savedCard, standardPlan } from '../../../test/plans.js'
import { show } from '../../../test/show.js'
import SubscribePage from './subscribe-page.js'

/** A slow machine. */
const PATIENCE_MS = 20_000
const patient = [undefined, { timeout: PATIENCE_MS }] as const

function showPage(more = {}, address = '/subscribe') {
  let subscription: Subscription = standardPlan
  const server = fakeServer({
    'POST /api/create-subscription': ({ body }: { body: unknown }) => {
      const { interval = 'month' } = body as { interval?: 'month' | 'year' }
      return { body: openedSubscription({ interval, amount: interval === 'year' ? '240.00' : '30.00' }) }
    },
    'GET /api/subscription': () => ({ body: subscription }),
    'GET /api/payment-methods': () => ({ body: [] }),
    'GET /v1/payment_intents/pi_1': () => intent('requires_payment_method'),
    'POST /v1/payment_methods': () => ({ body: { id: 'pm_1' } }),
    'POST /v1/payment_intents/pi_1/confirm': () => {
      subscription = premiumPlan()
      return intent('succeeded')
    },
    ...more,
  })
  show(<SubscribePage />, address)
  return server
}

async function pay(label = 'Pay $30.00') {
  const enter = (name: string, value: string) => fireEvent.change(screen.getByLabelText(name), { target: { value } })
  await screen.findByLabelText('Card Number', ...patient)
  enter('Card Number', '4242 4242 4242 4242')
  enter('Expiry (MM/YY)', '12/40')
  enter('CVV', '123')
  enter('Cardholder Name', 'Ben Okafor')
  await userEvent.click(screen.getByRole('button', { name: label }))
}

test('who pays is welcomed when the server has confirmed it, and goes on to the dashboard', async () => {
  showPage()
  await pay()
  expect(await screen.findByText('At /dashboard', ...patient)).toBeTruthy()
  expect(screen.getByText('Welcome to Premium!')).toBeTruthy()
})

test('a year can be chosen, and is what is paid then', async () => {
  const { calls } = showPage()
  await userEvent.click(await screen.findByRole('radio', { name: 'Yearly' }))
  expect(await screen.findByRole('button', { name: 'Pay $240.00' }, { timeout: PATIENCE_MS })).toBeTruthy()
  expect(calls.filter(call => call.startsWith('POST /api/create-subscription'))).toHaveLength(2)
})

test('while a card pays, no other interval can be chosen', async () => {
  let answer: (() => void) | undefined
  const paying = new Promise<void>(resolve => {
    answer = resolve
  })
  showPage({
    'POST /v1/payment_intents/pi_1/confirm': async () => {
      await paying
      return providerError(402, { type: 'card_error', message: 'Your card was declined.' })
    },
  })
  await pay()
  const yearly = screen.getByRole<HTMLInputElement>('radio', { name: 'Yearly' })
  await waitFor(() => expect(yearly.disabled).toBe(true))
  answer?.()
  await waitFor(() => expect(yearly.disabled).toBe(false))
})

test('the interval that the server keeps is shown, and the same choice asks again', async () => {
  const { calls } = showPage({ 'POST /api/create-subscription': () => ({ body: openedSubscription() }) })
  for (const asked of [2, 3]) {
    await userEvent.click(await screen.findByRole('radio', { name: 'Yearly' }))
    await waitFor(() =>
      expect(calls.filter(call => call.startsWith('POST /api/create-subscription'))).toHaveLength(asked),
    )
    expect((await screen.findByRole<HTMLInputElement>('radio', { name: 'Monthly' })).checked).toBe(true)
  }
})

test('a declined card is explained in the words of the provider, and another one may pay', async () => {
  const message = 'Your card has insufficient funds.'
  showPage({
    'POST /v1/payment_intents/pi_1/confirm': () => providerError(402, { type: 'card_error', message }),
  })
  await pay()
  expect(await screen.findByText(message, { exact: true })).toBeTruthy()
  expect(screen.getAllByText('Payment Failed')).toHaveLength(2)
  expect(screen.getByRole('button', { name: 'Pay $30.00' })).toBeTruthy()
})

test('a saved card pays without being typed', async () => {
  const { calls } = showPage({ 'GET /api/payment-methods': () => ({ body: [savedCard()] }) })
  expect(await screen.findByText('Visa ending in 4242', ...patient)).toBeTruthy()
  expect(screen.queryByLabelText('Card Number')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Pay $30.00' }))
  await screen.findByText('At /dashboard', ...patient)
  expect(calls).not.toContain('POST /v1/payment_methods')
})

test.each(['PAYMENT_PROVIDER_UNAVAILABLE', 'RATE_LIMITED'] as const)(
  'without a form, for %s, the page offers another try and the support',
  async code => {
    jest.spyOn(console, 'warn').mockImplementation(() => undefined)
    showPage({ 'POST /api/create-subscription': () => refusal(code) })
    expect(await screen.findByRole('heading', { name: 'Unable to Process Subscription' })).toBeTruthy()
    expect(screen.getByText('Failed to initialize subscription. Please try again.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Try Again' }).getAttribute('href')).toBe('/upgrade')
    expect(screen.getByRole('link', { name: 'Contact Support' }).getAttribute('href')).toBe('/support')
  },
)

test('who has Premium pays nothing, unless they come back from their bank: then they are welcomed', async () => {
  const exists = { 'POST /api/create-subscription': () => refusal('SUBSCRIPTION_EXISTS') }
  showPage(exists)
  expect(await screen.findByRole('link', { name: 'View Your Plan' })).toBeTruthy()
  cleanup()
  showPage(exists, '/subscribe?redirect_status=succeeded&payment_intent=pi_1')
  expect(await screen.findByText('Welcome to Premium!', ...patient)).toBeTruthy()
})

test('who comes back from a bank that refused reads that', async () => {
  showPage({
    'GET /v1/payment_intents/pi_1': () => ({
      body: {
        status: 'requires_payment_method',
        last_payment_error: { code: 'payment_intent_authentication_failure', message: 'for programmers' },
      },
    }),
  })
  expect(await screen.findByText(/Your bank did not confirm/, ...patient)).toBeTruthy()
})

test('a period whose card was declined is paid here, without another choice', async () => {
  showPage({ 'POST /api/create-subscription': () => ({ body: openedSubscription({ status: 'past_due' }) }) })
  expect(await screen.findByRole('heading', { name: 'Pay for Premium' })).toBeTruthy()
  expect(screen.queryByRole('radio', { name: 'Yearly' })).toBeNull()
})
