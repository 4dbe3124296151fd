/** The history of a user's money, and the receipts of payments and payouts. */
import type { PaymentMethod } from './payments.js'

/** What a line of a user's history is about: what they paid, what came back to them, or what their bank took back. */
export const HISTORY_KINDS = ['payment', 'refund', 'chargeback'] as const
export type HistoryKind = (typeof HISTORY_KINDS)[number]

/** The states of a payment in the history. `incomplete`: a part of a bank transfer has arrived. */
export const PAID_STATES = ['processing', 'incomplete', 'paid', 'failed'] as const
/** The states of a refund. Of one that is `failed` the amount is still owed. Nothing is owed any more of a `void` one. */
export const RETURN_STATES = ['on_its_way', 'returned', 'failed', 'void'] as const
/** The states of a chargeback, from which the buyer reads whether their bank gave the money back. */
export const TAKEN_STATES = ['open', 'won', 'lost'] as const
export const HISTORY_STATES = [
  'processing',
  'incomplete',
  'paid',
  'failed',
  'on_its_way',
  'returned',
  'void',
  'open',
  'won',
  'lost',
] as const satisfies readonly (
  | (typeof PAID_STATES)[number]
  | (typeof RETURN_STATES)[number]
  | (typeof TAKEN_STATES)[number]
)[]
export type HistoryState = (typeof HISTORY_STATES)[number]

/** What a payment was for: the item, or nothing, because it came too late or was more than what was to be paid. */
export const PAYMENT_PURPOSES = ['purchase', 'late', 'unapplied'] as const

/** How a receipt names a way to pay. */
export const METHOD_LABELS: Record<PaymentMethod, string> = {
  card: 'Card',
  bank: 'Bank transfer',
  crypto: 'Cryptocurrency',
}

/** How many deals a payout's receipt lists, the newest first. The others are one line with their sum. */
export const MAX_DEALS_OF_RECEIPT = 500

/**
 * The number of a payment's receipt: the deal, then the last twelve digits of the payment's id, such as `1001-3F2A91BC07DE`. It never
 * changes, and an operator finds the deal by its first part.
 */
export const paymentReceiptNumber = (transactionId: number, paymentId: string): string =>
  `${transactionId}-${lastDigits(paymentId)}`

/** The number of a payout's receipt, such as `P-3F2A91BC07DE`. */
export const payoutReceiptNumber = (payoutId: string): string => `P-${lastDigits(payoutId)}`

const lastDigits = (id: string): string => id.slice(-12).toUpperCase()
