/** Premium by subscription: beginning it, its state, and its invoices. Served by escrow-svc. */
import {
  INVOICE_STATUSES,
  MONEY_BACK_WAYS,
  SUBSCRIPTION_INTERVALS,
  SUBSCRIPTION_STATUSES,
} from '@holdfast/kernel/subscriptions'
import { PLANS } from '@holdfast/kernel/users'
import { z } from 'zod'
import { Amount, CurrencyCode, Timestamp, Uuid } from './fields.js'
import { route } from './route.js'

/** What a browser needs to pay at the provider, or to save a card there. */
export const AtProvider = z.object({
  /** The origin of Stripe's API for the browser: the sandbox's when it is used, otherwise Stripe's. */
  providerUrl: z.string(),
  publishableKey: z.string(),
  clientSecret: z.string(),
})

const Interval = z.enum(SUBSCRIPTION_INTERVALS, { error: 'Choose month or year' })

export const OpenedSubscription = AtProvider.extend({
  subscriptionId: Uuid,
  /** `past_due`: the payment is for a period whose card was declined. */
  status: z.enum(SUBSCRIPTION_STATUSES).extract(['incomplete', 'past_due']),
  interval: Interval,
  /** What is to be paid now. */
  amount: Amount,
  currency: CurrencyCode,
})
export type OpenedSubscription = z.infer<typeof OpenedSubscription>

export const Subscription = z.object({
  /** The plan of the transactions that the user opens now. */
  plan: z.enum(PLANS),
  /** `none` for a user who never had one. */
  status: z.enum([...SUBSCRIPTION_STATUSES, 'none']).exclude(['creating']),
  interval: Interval.nullable(),
  /** What each period costs. */
  amount: Amount.nullable(),
  currency: CurrencyCode,
  /** The end of the present period. The period is paid when the status is `active`. */
  periodEndsAt: Timestamp.nullable(),
  /** Whether it ends with its period. */
  cancelsAtPeriodEnd: z.boolean(),
  /** While a card is declined: until when Premium lasts without a payment. */
  premiumUntil: Timestamp.nullable(),
  /** Set when the money of the latest paid period went back to its payer: Premium then ends before the period does. */
  moneyBack: z.enum(MONEY_BACK_WAYS).nullable(),
  /** The card that pays, such as `Visa ending in 4242`. */
  cardLabel: z.string().nullable(),
})
export type Subscription = z.infer<typeof Subscription>

export const Invoice = z.object({
  id: z.string(),
  /** The provider's number of it. */
  number: z.string(),
  status: z.enum(INVOICE_STATUSES),
  amount: Amount,
  currency: CurrencyCode,
  interval: Interval,
  periodStartsAt: Timestamp,
  periodEndsAt: Timestamp,
  createdAt: Timestamp,
  paidAt: Timestamp.nullable(),
  /** What of it went back to its payer, by refunds or by their bank. */
  returned: Amount,
})
export type Invoice = z.infer<typeof Invoice>

export const subscriptionRoutes = {
  createSubscription: route({
    method: 'POST',
    path: '/api/create-subscription',
    access: 'user',
    summary: 'Begin Premium, or pay what is open of it: the browser confirms the payment at the provider',
    body: z.object({ interval: Interval.optional() }).default({}),
    response: OpenedSubscription,
    errors: ['SUBSCRIPTION_EXISTS', 'FORBIDDEN', 'PAYMENT_PROVIDER_UNAVAILABLE', 'CONFLICT', 'RATE_LIMITED'],
  }),
  getSubscription: route({
    method: 'GET',
    path: '/api/subscription',
    access: 'user',
    summary: 'The plan of the signed-in user and its subscription; the provider is asked while a payment is awaited',
    response: Subscription,
  }),
  cancelSubscription: route({
    method: 'POST',
    path: '/api/subscription/cancel',
    access: 'user',
    summary: 'Let Premium end with the period that is paid; one whose card was declined ends at once',
    response: Subscription,
    errors: ['SUBSCRIPTION_NOT_FOUND', 'PAYMENT_PROVIDER_UNAVAILABLE', 'CONFLICT', 'RATE_LIMITED'],
  }),
  resumeSubscription: route({
    method: 'POST',
    path: '/api/subscription/resume',
    access: 'user',
    summary: 'Let Premium go on that was to end with its period',
    response: Subscription,
    errors: ['SUBSCRIPTION_NOT_FOUND', 'PAYMENT_PROVIDER_UNAVAILABLE', 'CONFLICT', 'RATE_LIMITED'],
  }),
  listInvoices: route({
    method: 'GET',
    path: '/api/subscription/invoices',
    access: 'user',
    summary: 'The newest invoices of the signed-in user’s subscriptions',
    response: z.array(Invoice),
  }),
} as const
