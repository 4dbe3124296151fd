import { displayMinor } from '@holdfast/kernel/money'
import { PREMIUM_PRICE_MINOR, type SubscriptionInterval } from '@holdfast/kernel/subscriptions'

/** The two ways to pay for Premium. */
export const INTERVALS = [
  { value: 'month', label: 'Monthly' },
  { value: 'year', label: 'Yearly' },
] as const satisfies readonly { value: SubscriptionInterval; label: string }[]

/** "$30 a month", "$240 a year": what is charged each time. */
export const priceOf = (interval: SubscriptionInterval): string =>
  `${displayMinor(PREMIUM_PRICE_MINOR[interval], 'USD').replace('.00', '')} a ${interval}`
