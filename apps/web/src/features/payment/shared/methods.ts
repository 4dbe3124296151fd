import type { PaymentMethod } from '@holdfast/kernel/payments'

/** The ways to pay as the screens name them, in the order in which they are offered. */
export const METHODS = [
  { value: 'card', label: 'Card' },
  { value: 'bank', label: 'Bank' },
  { value: 'crypto', label: 'Crypto' },
] as const satisfies readonly { value: PaymentMethod; label: string }[]
