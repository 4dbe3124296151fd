import type { SavedCard } from '@holdfast/contracts/payment-methods'

/** "Visa ending in 4242" */
export const cardName = ({ brand, last4 }: Pick<SavedCard, 'brand' | 'last4'>): string => `${brand} ending in ${last4}`

/** "12/2029" */
export const cardExpiry = ({ expMonth, expYear }: Pick<SavedCard, 'expMonth' | 'expYear'>): string =>
  `${String(expMonth).padStart(2, '0')}/${expYear}`
