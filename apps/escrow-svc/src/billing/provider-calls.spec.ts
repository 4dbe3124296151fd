import Stripe from 'stripe'
import { changeUnlessOver } from './provider-calls.js'

const refusal = new Stripe.errors.StripeInvalidRequestError({
  ...{ type: 'invalid_request_error', message: 'You can only pass in open invoices.' },
})
const refused = () => Promise.reject(refusal)
const unreachable = () =>
  Promise.reject(new Stripe.errors.StripeConnectionError({ message: 'gone', type: 'api_error' }))

test('a change that the provider makes is made, and nothing more is asked', async () => {
  expect(await changeUnlessOver(async () => undefined, unreachable)).toBe(true)
})

test('a refusal counts as made before only when the object is where nothing is left to change', async () => {
  expect(await changeUnlessOver(refused, async () => true)).toBe(false)
  await expect(changeUnlessOver(refused, async () => false)).rejects.toBe(refusal)
})

test('without an answer, whether to the change or to the question after it, nothing is concluded', async () => {
  const unavailable = { code: 'PAYMENT_PROVIDER_UNAVAILABLE' }
  await expect(changeUnlessOver(unreachable, async () => true)).rejects.toMatchObject(unavailable)
  await expect(changeUnlessOver(refused, unreachable)).rejects.toMatchObject(unavailable)
})
