/** Which plan a subscription gives (spec section 9). Pure: times come from the caller. */
import { PAST_DUE_GRACE_DAYS, type PlanChangeReason, type SubscriptionStatus } from '@holdfast/kernel/subscriptions'
import type { Plan } from '@holdfast/kernel/users'

/** What of a subscription decides about the plan. */
export interface Standing {
  readonly status: SubscriptionStatus
  /** When we learned that the card was declined; null unless it is past due. */
  readonly pastDueSince: Date | null
}

/** Until when Premium lasts without a payment; null unless the subscription is past due. */
export const premiumUntil = ({ pastDueSince }: Pick<Standing, 'pastDueSince'>, daySeconds: number): Date | null =>
  pastDueSince && new Date(pastDueSince.getTime() + PAST_DUE_GRACE_DAYS * daySeconds * 1000)

/** The plan that a subscription gives at a time. */
export function planOf(standing: Standing, now: Date, daySeconds: number): Plan {
  if (standing.status === 'active') return 'premium'
  const until = standing.status === 'past_due' ? premiumUntil(standing, daySeconds) : null
  return until !== null && now < until ? 'premium' : 'standard'
}

/** Why the plan has changed, for who is told. */
export function reasonOf(plan: Plan, before: Standing, after: Standing): PlanChangeReason {
  if (plan === 'premium') return before.status === 'past_due' ? 'recovered' : 'subscribed'
  return after.status === 'past_due' ? 'unpaid' : 'ended'
}
