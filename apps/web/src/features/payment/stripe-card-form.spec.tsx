import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer } from '../../../test/fake-server.js'
import { intent } from '../../../test/payments.js'
import { show } from '../../../test/show.js'
import { FakeStripe } from '../../../test/stripe.js'
import { pendingTransaction } from '../../../test/transactions.js'
import { attemptKey, endAttempt } from './attempt-key.js'
import StripeCardForm from './stripe-card-form.js'

const stripe = new FakeStripe()
const { confirmCardPayment } = stripe
const onStage = jest.fn()
const payment = {
  paymentId: 'p1',
  providerUrl: 'https://api.stripe.com',
  publishableKey: 'pk_test_1',
  clientSecret: 'pi_1_secret_2',
  total: '107.00',
  currency: 'USD',
} as const

beforeEach(async () => {
  stripe.install()
  endAttempt(42, 'card')
  confirmCardPayment.mockReset()
  onStage.mockReset()
  fakeServer({
    'GET /v1/payment_intents/pi_1': () => intent('requires_payment_method'),
    'GET /api/transactions/42': () => ({ body: pendingTransaction() }),
  })
  show(<StripeCardForm deal={pendingTransaction()} payment={payment} problem={null} onStage={onStage} />)
  await waitFor(() => expect(stripe.has('cardNumber', 'cardExpiry', 'cardCvc')).toBe(true))
})

const fill = (...names: string[]) => act(() => stripe.complete(...names))
const pay = async () => userEvent.click(await screen.findByRole('button', { name: 'Pay $107.00' }))

test('a field that is not complete is named, Stripe is not asked, and the attempt goes on', async () => {
  const key = attemptKey(42, 'card')
  fill('cardNumber', 'cardExpiry')
  await userEvent.type(screen.getByLabelText('Cardholder Name'), 'Ben Okafor')
  await pay()
  expect(await screen.findByText('Enter the security code of the card.')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('group', { name: 'CVV' })))
  expect(confirmCardPayment).not.toHaveBeenCalled()
  expect(screen.queryByText('Payment Failed')).toBeNull()
  expect(attemptKey(42, 'card')).toBe(key)
})

test('the words for: Funds payment (provider view): failure', async () => {
  fill('cardNumber', 'cardExpiry', 'cardCvc')
  await userEvent.type(screen.getByLabelText('Cardholder Name'), 'Ben Okafor')
  confirmCardPayment.mockResolvedValueOnce({ error: { type: 'card_error', message: 'Your card was declined.' } })
  await pay()
  expect((await screen.findAllByText('Payment Failed')).length).toBeGreaterThan(0)
  expect(screen.getAllByText('Your card was declined.').length).toBeGreaterThan(0)
})

test('what Stripe finds incomplete by itself does not end the attempt, a declined card does', async () => {
  const key = attemptKey(42, 'card')
  fill('cardNumber', 'cardExpiry', 'cardCvc')
  await userEvent.type(screen.getByLabelText('Cardholder Name'), 'Ben Okafor')
  confirmCardPayment.mockResolvedValueOnce({
    error: { type: 'validation_error', message: 'Your card number is incomplete.' },
  })
  await pay()
  expect(await screen.findByText(/Your card number is incomplete\./)).toBeTruthy()
  expect(attemptKey(42, 'card')).toBe(key)
  confirmCardPayment.mockResolvedValueOnce({ error: { type: 'card_error', message: 'Your card was declined.' } })
  await pay()
  expect((await screen.findAllByText(/Your card was declined\./)).length).toBeGreaterThan(0)
  expect(attemptKey(42, 'card')).not.toBe(key)
})

test('a card whose confirmation got no answer can be sent again when it was not charged', async () => {
  confirmCardPayment.mockResolvedValueOnce({ error: { type: 'api_connection_error', message: 'No connection.' } })
  fill('cardNumber', 'cardExpiry', 'cardCvc')
  await userEvent.type(screen.getByLabelText('Cardholder Name'), 'Ben Okafor')
  await pay()
  expect((await screen.findAllByText('Payment Failed')).length).toBeGreaterThan(0)
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Pay $107.00' }).disabled).toBe(false)
  expect(onStage).not.toHaveBeenCalled()
})

test('a card that Stripe refuses because another tab has paid is not said to have failed', async () => {
  fakeServer({
    'GET /v1/payment_intents/pi_1': () => intent('succeeded'),
    'GET /api/transactions/42': () => ({ body: pendingTransaction() }),
  })
  confirmCardPayment.mockResolvedValueOnce({
    error: { type: 'invalid_request_error', message: 'This PaymentIntent has succeeded.' },
  })
  fill('cardNumber', 'cardExpiry', 'cardCvc')
  await userEvent.type(screen.getByLabelText('Cardholder Name'), 'Ben Okafor')
  await pay()
  await waitFor(() => expect(onStage).toHaveBeenCalledWith({ name: 'confirming', payment }))
  expect(screen.queryByText(/failed|charged/i)).toBeNull()
})

test('a complete card goes to Stripe, and the page waits until the server confirms', async () => {
  confirmCardPayment.mockResolvedValueOnce({ paymentIntent: { status: 'succeeded' } })
  fill('cardNumber', 'cardExpiry', 'cardCvc')
  await userEvent.type(screen.getByLabelText('Cardholder Name'), 'Ben Okafor')
  await pay()
  expect(onStage).toHaveBeenCalledWith({ name: 'confirming', payment })
})
