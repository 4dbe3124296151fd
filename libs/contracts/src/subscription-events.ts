/** The events of subscriptions. Their key is the user's id, so that the changes of a user's plan stay in order. */
import { CANCEL_REASONS, PLAN_CHANGE_REASONS } from '@holdfast/kernel/subscriptions'
import { PLANS } from '@holdfast/kernel/users'
import { z } from 'zod'
import { define } from './event.js'
import { Amount, CurrencyCode, Timestamp, Uuid } from './fields.js'

/** The plan of a user has changed. It is the plan of deals that are opened from now on. */
export const planChanged = define(
  'escrow.subscription',
  'escrow.subscription.plan_changed.v1',
  z.object({ userId: Uuid, plan: z.enum(PLANS), reason: z.enum(PLAN_CHANGE_REASONS), at: Timestamp }),
)

/** The card of a subscription was declined for a later period. */
export const subscriptionPaymentFailed = define(
  'escrow.subscription',
  'escrow.subscription.payment_failed.v1',
  z.object({
    userId: Uuid,
    amount: Amount,
    currency: CurrencyCode,
    /** Until when Premium lasts without a payment. */
    premiumUntil: Timestamp,
    at: Timestamp,
  }),
)

/** A subscription ends with its period although its user has not cancelled it. Nothing more is charged. */
export const subscriptionCancelled = define(
  'escrow.subscription',
  'escrow.subscription.cancelled.v1',
  z.object({
    userId: Uuid,
    reason: z.enum(CANCEL_REASONS),
    /** The end of the period that is paid. */
    premiumUntil: Timestamp,
    at: Timestamp,
  }),
)
