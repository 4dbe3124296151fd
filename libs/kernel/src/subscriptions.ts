/** Premium as a subscription: what it costs, its states, and how long it outlives a card that is declined. */
import { PREMIUM_MONTHLY_MINOR, PREMIUM_YEARLY_MINOR } from './fees.js'

export const SUBSCRIPTION_INTERVALS = ['month', 'year'] as const
export type SubscriptionInterval = (typeof SUBSCRIPTION_INTERVALS)[number]

/** What a period costs, in cents. */
export const PREMIUM_PRICE_MINOR: Record<SubscriptionInterval, bigint> = {
  month: PREMIUM_MONTHLY_MINOR,
  year: PREMIUM_YEARLY_MINOR,
}

/**
 * The statuses of a subscription. `creating` is committed before the provider is called; clients see it as `incomplete`, which waits
 * for its first payment. `past_due`: the card for a later period was declined. `ended` is final.
 */
export const SUBSCRIPTION_STATUSES = ['creating', 'incomplete', 'active', 'past_due', 'ended'] as const
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number]

/** The statuses of an invoice. Nothing is collected any more for a `void` one. */
export const INVOICE_STATUSES = ['open', 'paid', 'void'] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

/**
 * How long Premium lasts without a payment: after a card was declined, and after the end of a paid period when the provider does
 * not say whether the next one is paid. Then the Standard fees apply until a card pays.
 */
export const PREMIUM_GRACE_DAYS = 7

/**
 * Why the plan of a user has changed. `unpaid`: no card has paid within the days above. `refunded` and `charged_back`: the money of the
 * period went back to its payer. `suspended`: the account is suspended, so the next period was not charged.
 */
export const PLAN_CHANGE_REASONS = [
  'subscribed',
  'recovered',
  'unpaid',
  'ended',
  'refunded',
  'charged_back',
  'suspended',
] as const
export type PlanChangeReason = (typeof PLAN_CHANGE_REASONS)[number]

/** How the money of a period that was paid has left us again. */
export const MONEY_BACK_WAYS = ['refund', 'chargeback'] as const
export type MoneyBack = (typeof MONEY_BACK_WAYS)[number]

/** Why we let a subscription end with its period although its user has not cancelled it. */
export const CANCEL_REASONS = ['suspension', 'chargeback'] as const
export type CancelReason = (typeof CANCEL_REASONS)[number]

/** How many invoices a user sees, the newest first. */
export const MAX_INVOICES_SHOWN = 24

/** How often a user may begin Premium, begin to save a card, change their plan or cards, and list their cards. Each asks the provider. */
export const SUBSCRIPTIONS_OF_A_USER = { attempts: 40, seconds: 600 } as const
export const CARD_SETUPS_OF_A_USER = { attempts: 20, seconds: 600 } as const
export const BILLING_CHANGES_OF_A_USER = { attempts: 40, seconds: 600 } as const
export const CARD_LISTS_OF_A_USER = { attempts: 200, seconds: 600 } as const
/** How many saved cards a user sees and may have. */
export const MAX_SAVED_CARDS = 10
