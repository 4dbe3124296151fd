import type { Metadata } from '../payments/records.js'

/** The records of recurring payments. Amounts are integers in the currency's smallest unit, times are milliseconds. */

export type Interval = 'month' | 'year'

export interface ProductRecord {
  readonly id: string
  readonly createdAt: number
  readonly name: string
}

export interface PriceRecord {
  readonly id: string
  readonly createdAt: number
  readonly productId: string
  /** The name under which the merchant finds it. One price has it at a time. */
  readonly lookupKey: string | null
  readonly amount: number
  readonly currency: string
  readonly interval: Interval
}

export type SubscriptionStatus = 'incomplete' | 'incomplete_expired' | 'active' | 'past_due' | 'canceled'

export interface SubscriptionRecord {
  readonly id: string
  readonly createdAt: number
  readonly customerId: string
  readonly priceId: string
  readonly status: SubscriptionStatus
  readonly description: string | null
  readonly metadata: Metadata
  readonly cancelAtPeriodEnd: boolean
  readonly canceledAt: number | null
  readonly endedAt: number | null
  readonly periodStart: number
  readonly periodEnd: number
  readonly latestInvoiceId: string
  /** The card that pays the next period; null before the first one is paid. */
  readonly methodId: string | null
  /** Whether a person has set at the sandbox that the next attempts to charge the card are declined. */
  readonly fails: boolean
}

/** A `draft` is not final: it has no number and no payment yet. */
export type InvoiceStatus = 'draft' | 'open' | 'paid' | 'void'

export interface InvoiceRecord {
  readonly id: string
  readonly createdAt: number
  /** Null for a draft. */
  readonly number: string | null
  readonly customerId: string
  readonly subscriptionId: string
  readonly reason: 'subscription_create' | 'subscription_cycle'
  readonly amount: number
  readonly currency: string
  readonly status: InvoiceStatus
  /** The payment; null for a draft. */
  readonly intentId: string | null
  readonly description: string
  readonly periodStart: number
  readonly periodEnd: number
  readonly attempts: number
  readonly paidAt: number | null
  /** When the card is charged again after it was declined; null when it is not. */
  readonly retryAt: number | null
  /** When a draft becomes final and is charged; null when it does not by itself. */
  readonly finalizesAt: number | null
}
