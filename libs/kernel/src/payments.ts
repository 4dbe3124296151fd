/** Paying for a deal: the ways to pay (spec section 2, payment page), and the statuses of a payment and of a refund. */

export const PAYMENT_METHODS = ['card', 'bank', 'crypto'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

/** Whether a buyer can pay this way now. The other ways have their fees already, and are not open yet. */
export const isOfferedMethod = (method: PaymentMethod): method is 'card' => method === 'card'

/** The statuses of a payment. `creating` is committed before the provider is called; clients see it as `open`. */
export const PAYMENT_STATUSES = ['creating', 'open', 'processing', 'succeeded', 'failed', 'cancelled'] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/**
 * The statuses of a refund, in the only order in which it takes them. `failed` comes after `confirmed` because a bank may
 * return a refund days after the provider confirmed it.
 */
export const REFUND_STATUSES = ['due', 'sent', 'confirmed', 'failed'] as const
export type RefundStatus = (typeof REFUND_STATUSES)[number]
