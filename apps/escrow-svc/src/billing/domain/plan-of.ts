/** Which plan a subscription gives (spec section 9). Pure: times come from the caller. */
import {
  type CancelReason,
  type MoneyBack,
  type PlanChangeReason,
  PREMIUM_GRACE_DAYS,
  type SubscriptionStatus,
} from '@holdfast/kernel/subscriptions'
import type { Plan } from '@holdfast/kernel/users'

/** The part of a subscription that decides about the plan. */
export interface Standing {
  readonly status: SubscriptionStatus
  /** The end of the period in the provider's latest answer; null before the first answer. */
  readonly periodEndsAt: Date | null
  /** When we learned that the card was declined; null unless it is past due. */
  readonly pastDueSince: Date | null
  /** Set while the payer has the money of the latest paid period back. */
  readonly moneyBack: MoneyBack | null
}

/** The part of an invoice that decides whether its period is still paid. All amounts are minor units. */
export interface PaidInvoice {
  readonly amountMinor: bigint
  readonly refundedMinor: bigint
  readonly chargedBackMinor: bigint
  /** Whether the bank has decided for the payer. */
  readonly isChargebackLost: boolean
}

/**
 * How the payer got the money of a paid period back; null when the period counts as paid. A refund of a part leaves it paid, because that is an
 * operator's favour. When a bank has taken back any part, the payer contests the payment, so the period does not count as paid.
 */
export function moneyBackOf({ amountMinor, refundedMinor, chargedBackMinor }: PaidInvoice): MoneyBack | null {
  if (chargedBackMinor > 0n) return 'chargeback'
  return amountMinor > 0n && refundedMinor >= amountMinor ? 'refund' : null
}

/** Whether the payer keeps the money of a paid period, so that the subscription ends at once. Until a bank has decided, that is open. */
export function staysWithPayer(invoice: PaidInvoice): boolean {
  const way = moneyBackOf(invoice)
  return way === 'refund' || (way === 'chargeback' && invoice.isChargebackLost)
}

/**
 * When Premium ends unless the provider reports a payment: some days after a card was declined, or after the end of the paid period.
 * Null for a subscription that does not give Premium.
 */
export function premiumEnds(standing: Standing, daySeconds: number): Date | null {
  const { status, periodEndsAt, pastDueSince, moneyBack } = standing
  if (moneyBack !== null) return null
  const from = status === 'active' ? periodEndsAt : status === 'past_due' ? pastDueSince : null
  return from && new Date(from.getTime() + PREMIUM_GRACE_DAYS * daySeconds * 1000)
}

/** The plan that a subscription gives at a time. */
export function planOf(standing: Standing, now: Date, daySeconds: number): Plan {
  const ends = premiumEnds(standing, daySeconds)
  return ends !== null && now < ends ? 'premium' : 'standard'
}

/**
 * The start of the grace days of a subscription that the provider reports as past due. It is the moment at which we learn of it, so that
 * a late event does not shorten them. If Premium has already ended because no payment was reported, it is the end of the paid period, so
 * that the report does not give Premium again.
 */
export function pastDueFrom(before: Standing, now: Date, daySeconds: number): Date {
  if (before.pastDueSince) return before.pastDueSince
  const isOver = before.status === 'active' && planOf(before, now, daySeconds) === 'standard'
  return isOver && before.periodEndsAt ? before.periodEndsAt : now
}

/** Why the plan has changed, as the event and the notification say it. */
export function reasonOf(
  plan: Plan,
  before: Standing,
  after: Standing & { readonly cancelReason: CancelReason | null },
): PlanChangeReason {
  const wasPaid = before.status === 'active' || before.status === 'past_due'
  if (plan === 'premium') return wasPaid ? 'recovered' : 'subscribed'
  if (after.moneyBack !== null) return after.moneyBack === 'refund' ? 'refunded' : 'charged_back'
  if (after.status !== 'ended') return 'unpaid'
  return after.cancelReason === 'suspension' ? 'suspended' : 'ended'
}
