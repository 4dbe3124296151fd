/** Paying for a deal: the ways to pay (spec section 2, payment page), and the statuses of a payment and of a refund. */

export const PAYMENT_METHODS = ['card', 'bank', 'crypto'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

/** The name of a `<meta>` in the HTML of every page. It has the ways to pay that buyers are offered, with commas between them. */
export const PAYMENT_METHODS_META = 'holdfast-payment-methods'

/**
 * The most payments that may be begun for a deal, and by a buyer, within a time. Each asks the provider, whose limit of requests
 * all users share. A buyer who tries several cards begins one payment.
 */
export const PAYMENTS_OF_A_DEAL = { attempts: 30, seconds: 600 } as const
export const PAYMENTS_OF_A_USER = { attempts: 100, seconds: 600 } as const

/** The statuses of a payment. `creating` is committed before the provider is called; clients see it as `open`. */
export const PAYMENT_STATUSES = ['creating', 'open', 'processing', 'succeeded', 'failed', 'cancelled'] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/**
 * The statuses of a refund, in the only order in which it takes them. `failed` comes after `confirmed` because a bank may
 * return a refund days after the provider confirmed it. Nothing is owed any more of a `void` refund: an operator made it at the
 * provider and it failed, so that the deal holds the money again, or the buyer's bank has returned the money.
 */
export const REFUND_STATUSES = ['due', 'sent', 'confirmed', 'failed', 'void'] as const
export type RefundStatus = (typeof REFUND_STATUSES)[number]

/** The progress of the refunds of a deal, as its parties see it. */
export const REFUND_PROGRESS = ['on_its_way', 'returned', 'failed'] as const
export type RefundProgress = (typeof REFUND_PROGRESS)[number]

/** Who made a refund: we, or an operator at the provider. `provider_late`: the deal no longer held the payment, so we bear it. */
export const REFUND_ORIGINS = ['us', 'provider', 'provider_late'] as const
export type RefundOrigin = (typeof REFUND_ORIGINS)[number]

/**
 * The statuses of a chargeback, in the order in which it takes them. An inquiry is a question of the buyer's bank: no money
 * has been taken yet. `won` means that we keep the money, also when an inquiry was closed. A bank may decide a second time: then `won`
 * becomes `open` or `lost`, or `lost` becomes `won`.
 */
export const CHARGEBACK_STATUSES = ['inquiry', 'open', 'won', 'lost'] as const
export type ChargebackStatus = (typeof CHARGEBACK_STATUSES)[number]
/** A chargeback as the parties of a deal see it. An inquiry is `open`, too. */
export const CHARGEBACK_PROGRESS = ['open', 'won', 'lost'] as const
export type ChargebackProgress = (typeof CHARGEBACK_PROGRESS)[number]
/** How many chargebacks a seller sees beside their balance, the latest first. */
export const MAX_CHARGEBACKS_SHOWN = 20
/** The outcomes of a chargeback. */
export const CHARGEBACK_OUTCOMES = ['won', 'lost'] as const satisfies readonly ChargebackStatus[]
