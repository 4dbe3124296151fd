/** Which plan a subscription gives (spec section 9). Pure: times come from the caller. */
import { type PlanChangeReason, PREMIUM_GRACE_DAYS, type SubscriptionStatus } from '@holdfast/kernel/subscriptions'
import type { Plan } from '@holdfast/kernel/users'

/** What of a subscription decides about the plan. */
export interface Standing {
  readonly status: SubscriptionStatus
  /** The end of the period that the provider has last named; null before it was asked. */
  readonly periodEndsAt: Date | null
  /** When we learned that the card was declined; null unless it is past due. */
  readonly pastDueSince: Date | null
}

/**
 * When Premium ends by itself: after a card was declined, and when nothing is heard of the payment of the next period. Null for a
 * subscription that does not give Premium.
 */
export function premiumEnds({ status, periodEndsAt, pastDueSince }: Standing, daySeconds: number): Date | null {
  const from = status === 'active' ? periodEndsAt : status === 'past_due' ? pastDueSince : null
  return from && new Date(from.getTime() + PREMIUM_GRACE_DAYS * daySeconds * 1000)
}

/** The plan that a subscription gives at a time. */
export function planOf(standing: Standing, now: Date, daySeconds: number): Plan {
  const ends = premiumEnds(standing, daySeconds)
  return ends !== null && now < ends ? 'premium' : 'standard'
}

/**
 * Since when a subscription is past due that the provider calls so now: since now, so that news that come late shorten nothing. When
 * Premium has ended already because nothing was heard, it does not come back.
 */
export function pastDueFrom(before: Standing, now: Date, daySeconds: number): Date {
  if (before.pastDueSince) return before.pastDueSince
  const isOver = before.status === 'active' && planOf(before, now, daySeconds) === 'standard'
  return isOver && before.periodEndsAt ? before.periodEndsAt : now
}

/** Why the plan has changed, for who is told. */
export function reasonOf(plan: Plan, before: Standing, after: Standing): PlanChangeReason {
  const wasPaid = before.status === 'active' || before.status === 'past_due'
  if (plan === 'premium') return wasPaid ? 'recovered' : 'subscribed'
  return after.status === 'ended' ? 'ended' : 'unpaid'
}
