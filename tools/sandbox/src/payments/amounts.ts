import { StripeError } from '../http/stripe-error.js'
import type { MethodType } from './records.js'

/** The provider takes amounts of at most eight digits (docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). */
const MAX_AMOUNT = 99_999_999

/** The smallest charge per currency, in its smallest unit (same source). */
const MIN_AMOUNT: Readonly<Record<string, number>> = { usd: 50, eur: 50, gbp: 30, cad: 50, aud: 50, jpy: 50 }

/** The provider's fee for a payment: basis points and a fixed part, in the smallest unit, never above the cap. */
const FEES: Readonly<
  Record<MethodType, { readonly basisPoints: number; readonly fixed: number; readonly cap: number }>
> = {
  card: { basisPoints: 290, fixed: 30, cap: Number.POSITIVE_INFINITY },
  us_bank_account: { basisPoints: 80, fixed: 0, cap: 500 },
  customer_balance: { basisPoints: 50, fixed: 0, cap: 500 },
  crypto: { basisPoints: 150, fixed: 0, cap: Number.POSITIVE_INFINITY },
}

/**
 * Checks a charge's amount and currency against the provider's limits.
 *
 * @throws StripeError 400
 */
export function checkAmount(amount: number, currency: string): void {
  const smallest = MIN_AMOUNT[currency]
  if (smallest === undefined) {
    const known = Object.keys(MIN_AMOUNT).join(', ')
    throw StripeError.invalid(`Invalid currency: ${currency}. This sandbox currently supports: ${known}`, {
      param: 'currency',
    })
  }
  if (amount < 1) {
    throw StripeError.invalid('This value must be greater than or equal to 1.', {
      code: 'parameter_invalid_integer',
      param: 'amount',
    })
  }
  if (amount < smallest) {
    throw StripeError.invalid(`Amount must be at least ${display(smallest, currency)} ${currency}`, {
      code: 'amount_too_small',
      param: 'amount',
    })
  }
  if (amount > MAX_AMOUNT) {
    throw StripeError.invalid(`Amount must be no more than ${display(MAX_AMOUNT, currency)} ${currency}`, {
      code: 'amount_too_large',
      param: 'amount',
    })
  }
}

/** The provider's fee, rounded half up to the smallest unit. */
export function feeOf(amount: number, type: MethodType): number {
  const { basisPoints, fixed, cap } = FEES[type]
  // Eight digits times three stay far below 2^53: exact as a number.
  return Math.min(Math.floor((amount * basisPoints * 2 + 10_000) / 20_000) + fixed, cap, amount)
}

const SYMBOLS: Readonly<Record<string, string>> = { usd: '$', eur: '€', gbp: '£', cad: 'CA$', aud: 'A$', jpy: '¥' }

/** An amount for people: `$1,234.50`. */
export function display(amount: number, currency: string): string {
  const exponent = currency === 'jpy' ? 0 : 2
  const digits = String(Math.abs(amount)).padStart(exponent + 1, '0')
  const whole = digits.slice(0, digits.length - exponent).replace(/\B(?=(\d{3})+$)/g, ',')
  const fraction = exponent === 0 ? '' : `.${digits.slice(-exponent)}`
  return `${amount < 0 ? '−' : ''}${SYMBOLS[currency] ?? `${currency.toUpperCase()} `}${whole}${fraction}`
}
