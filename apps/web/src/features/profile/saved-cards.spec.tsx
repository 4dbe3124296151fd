import type { SavedCard } from '@holdfast/contracts/payment-methods'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, refusal } from '../../../test/fake-server.js'
import { providerError } from '../../../test/payments.js'
import { savedCard } from '../../../test/plans.js'
import { show } from '../../../test/show.js'
import { SavedCards } from './saved-cards.js'

const PATIENCE_MS = 20_000
const setup = { providerUrl: 'http://sandbox.test', publishableKey: 'pk_test_1', clientSecret: 'seti_1_secret_2' }

function serve(cards: SavedCard[], more = {}) {
  const kept = [...cards]
  const server = fakeServer({
    'GET /api/payment-methods': () => ({ body: kept }),
    'POST /api/payment-methods/setup': () => ({ body: setup }),
    'POST /v1/payment_methods': () => ({ body: { id: 'pm_new' } }),
    'POST /v1/setup_intents/seti_1/confirm': () => {
      kept.push(savedCard({ id: 'pm_new', brand: 'Mastercard', last4: '4444' }))
      return { body: { id: 'seti_1', status: 'succeeded' } }
    },
    'DELETE /api/payment-methods/pm_saved': () => {
      kept.splice(0, 1)
      return { status: 204 }
    },
    'PUT /api/payment-methods/pm_saved/default': () => {
      kept[0] = savedCard({ isDefault: true })
      return { status: 204 }
    },
    'GET /api/subscription': () => refusal('UNAVAILABLE'),
    ...more,
  })
  show(<SavedCards />)
  return server
}

async function save() {
  await userEvent.click(await screen.findByRole('button', { name: 'Add Payment Method' }))
  const enter = (name: string, value: string) => fireEvent.change(screen.getByLabelText(name), { target: { value } })
  await screen.findByLabelText('Card Number', undefined, { timeout: PATIENCE_MS })
  enter('Card Number', '5555 5555 5555 4444')
  enter('Expiry (MM/YY)', '12/40')
  enter('CVV', '123')
  enter('Cardholder Name', 'Ben Okafor')
  await userEvent.click(screen.getByRole('button', { name: 'Save Card' }))
}

test('without a card there is what the specification words, and a card can be saved', async () => {
  serve([])
  expect(await screen.findByText('No payment methods')).toBeTruthy()
  await save()
  expect(await screen.findByText('Mastercard ending in 4444')).toBeTruthy()
  expect(screen.getByText('until 12/2040')).toBeTruthy()
  expect(screen.queryByLabelText('Card Number')).toBeNull()
})

test('a card that is declined is not saved, and the form stays', async () => {
  const message = 'Your card was declined.'
  serve([], {
    'POST /v1/setup_intents/seti_1/confirm': () => providerError(402, { type: 'card_error', message }),
    'GET /v1/setup_intents/seti_1': () => ({ body: { id: 'seti_1', status: 'requires_payment_method' } }),
  })
  await save()
  expect(await screen.findByText(message, { exact: true })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Save Card' })).toBeTruthy()
})

test('a card that another tab has saved with the same form is not said to be refused', async () => {
  serve([], {
    'POST /v1/setup_intents/seti_1/confirm': () =>
      providerError(400, { type: 'invalid_request_error', message: 'This SetupIntent has succeeded.' }),
    'GET /v1/setup_intents/seti_1': () => ({ body: { id: 'seti_1', status: 'succeeded' } }),
  })
  await save()
  expect(await screen.findByText('Card saved')).toBeTruthy()
  expect(screen.queryByText('Payment Failed')).toBeNull()
})

test('a card becomes the default, and is removed after a question', async () => {
  serve([savedCard()])
  await userEvent.click(await screen.findByRole('button', { name: 'Make Visa ending in 4242 the default' }))
  expect(await screen.findByText('Default')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Remove Visa ending in 4242' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Remove Card' }))
  await waitFor(async () => expect(await screen.findByText('No payment methods')).toBeTruthy())
})

test('when no card can be saved now, that is said', async () => {
  serve([], { 'POST /api/payment-methods/setup': () => refusal('PAYMENT_PROVIDER_UNAVAILABLE') })
  await userEvent.click(await screen.findByRole('button', { name: 'Add Payment Method' }))
  expect(await screen.findByText('No card can be saved right now')).toBeTruthy()
})
