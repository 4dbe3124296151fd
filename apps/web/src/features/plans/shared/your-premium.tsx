import type { Subscription } from '@holdfast/contracts/subscriptions'
import { displayAmount } from '@holdfast/kernel/money'
import { type BadgeLooks, StatusBadge } from '../../../components/badge.js'
import { formatDate } from '../../../lib/time.js'
import { PLAN_FEES } from './plan-words.js'

const LOOKS: Record<Subscription['status'], BadgeLooks> = {
  none: { label: 'Standard' },
  incomplete: { label: 'Not paid yet' },
  active: { label: 'Active', tone: 'held' },
  past_due: { label: 'Payment failed', tone: 'trouble' },
  ended: { label: 'Ended' },
}

/** The plan of a user and what comes next, in two lines. */
export function YourPremium({ subscription }: { subscription: Subscription }) {
  const { plan, status, moneyBack } = subscription
  const looks = status === 'active' && moneyBack ? LOOKS.ended : LOOKS[status]
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-3 font-semibold">
        {plan === 'premium' ? 'Premium' : 'Standard'}
        {status !== 'none' && <StatusBadge status={status} looks={looks} />}
      </p>
      <p className="max-w-text text-ink-soft">{stateOf(subscription)}</p>
    </div>
  )
}

const day = (at: string | null) => (at === null ? '' : formatDate(new Date(at)))

const MONEY_BACK: Record<NonNullable<Subscription['moneyBack']>, string> = {
  refund: 'Your payment for Premium was refunded.',
  chargeback: 'Your bank took back your payment for Premium.',
}

function stateOf(subscription: Subscription): string {
  const { plan, status, amount, currency, periodEndsAt, cancelsAtPeriodEnd, premiumUntil, cardLabel } = subscription
  const money = amount === null ? '' : displayAmount(amount, currency)
  if (subscription.moneyBack)
    return `${MONEY_BACK[subscription.moneyBack]} Nothing more is charged, and your fee is ${PLAN_FEES.standard} for each transaction that you open.`
  if (status === 'past_due')
    return plan === 'premium'
      ? `${money} could not be charged${cardLabel ? ` to ${cardLabel}` : ''}. You keep Premium until ${day(premiumUntil)}.`
      : `${money} could not be charged in time. The Standard fee of ${PLAN_FEES.standard} applies until you pay.`
  if (status !== 'active') return `Your fee is ${PLAN_FEES.standard} for each transaction that you open.`
  if (cancelsAtPeriodEnd) return `Premium ends on ${day(periodEndsAt)}. Nothing more is charged.`
  return `${money} is charged${cardLabel ? ` to ${cardLabel}` : ''} on ${day(periodEndsAt)}.`
}
