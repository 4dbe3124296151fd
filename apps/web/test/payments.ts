import type { paymentRoutes } from '@holdfast/contracts/payments'
import type { Output } from '@holdfast/contracts/route'
import { PAYMENT_METHODS_META, type PaymentMethod } from '@holdfast/kernel/payments'
import type { PaymentIntent, StripeError } from '@stripe/stripe-js'
import { uuid } from './ids.js'

type Payment = Output<typeof paymentRoutes.createPayment>
type Quote = Output<typeof paymentRoutes.getQuote>

/** The payment of $107.00 by card for the deal of `pendingTransaction`. The provider has the intent `pi_1` for it. */
export const payment: Payment = {
  paymentId: uuid(3001),
  provider: 'stripe',
  providerUrl: 'http://sandbox.test',
  status: 'open',
  clientSecret: 'pi_1_secret_2',
  publishableKey: 'pk_test_1',
  total: '107.00',
  currency: 'USD',
}

export const cardQuote: Quote = {
  currency: 'USD',
  lines: [
    { code: 'purchase_amount', label: 'Purchase Amount', amount: '100.00' },
    { code: 'platform_fee', label: 'Platform Fee (2%)', amount: '2.00' },
    { code: 'processing_fee', label: 'Processing Fee', amount: '5.00' },
  ],
  total: '107.00',
  methods: ['card', 'bank', 'crypto'],
}

export const bankQuote: Quote = {
  currency: 'USD',
  lines: [
    { code: 'purchase_amount', label: 'Purchase Amount', amount: '100.00' },
    { code: 'platform_fee', label: 'Platform Fee (1.5%)', amount: '1.50' },
  ],
  total: '101.50',
  methods: ['card', 'bank', 'crypto'],
}

/** The provider's answer about the intent `pi_1`, with the fields that the page reads. */
export const intent = (status: PaymentIntent.Status) => ({
  body: { id: 'pi_1', status, client_secret: 'pi_1_secret_2' } satisfies Partial<PaymentIntent>,
})

/** Writes into the page, as the server does, that only these ways to pay are offered, until the test ends. */
export function offerOnly(...methods: readonly PaymentMethod[]): void {
  const meta = document.createElement('meta')
  meta.name = PAYMENT_METHODS_META
  meta.content = methods.join()
  document.head.append(meta)
}

/** The provider's refusal. */
export const providerError = (status: number, error: StripeError) => ({ status, body: { error } })
