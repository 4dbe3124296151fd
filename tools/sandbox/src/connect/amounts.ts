import { StripeError } from '../http/stripe-error.js'

/** @throws StripeError 400 for an amount below one cent */
export function checkPositive(amount: number): void {
  if (amount >= 1) return
  throw StripeError.invalid('This value must be greater than or equal to 1.', {
    code: 'parameter_invalid_integer',
    param: 'amount',
  })
}

/** The refusal when a balance is too low. */
export const insufficient = (): StripeError =>
  StripeError.wrongState('You have insufficient available funds in your Stripe account.', 'balance_insufficient')
