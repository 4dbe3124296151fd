/** The ways to pay (spec section 2, payment page). */

export const PAYMENT_METHODS = ['card', 'bank', 'crypto'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]
