import type { OpenedSubscription } from '@holdfast/contracts/subscriptions'
import { displayAmount } from '@holdfast/kernel/money'
import { PREMIUM_GRACE_DAYS, type SubscriptionInterval } from '@holdfast/kernel/subscriptions'
import { Facts } from '../../components/facts.js'
import { Segmented } from '../../components/segmented.js'
import { INTERVALS, priceOf } from './shared/interval-words.js'
import { PLAN_FEES } from './shared/plan-words.js'

interface BillingTermsProps {
  opened: OpenedSubscription
  onChoose: (interval: SubscriptionInterval) => void
  /** Whether a card is paying: the interval cannot be changed meanwhile. */
  locked: boolean
}

/** The price, its interval, and what Premium gives. A user who pays a declined period cannot choose another interval. */
export function BillingTerms({ opened, onChoose, locked }: BillingTermsProps) {
  const { interval, amount, currency, status } = opened
  return (
    <section aria-labelledby="billing">
      <h2 id="billing" className="mb-3 font-semibold">
        Premium Plan
      </h2>
      <p className="figures mb-5 text-3xl font-semibold">
        {displayAmount(amount, currency)}
        <span className="text-base font-normal text-ink-soft"> / {interval}</span>
      </p>
      {status === 'incomplete' && (
        <Segmented
          legend="Billing"
          options={INTERVALS}
          value={interval}
          onChange={onChoose}
          disabled={locked}
          className="mb-6"
        />
      )}
      <Facts
        facts={[
          { label: 'Charged now', value: displayAmount(amount, currency) },
          { label: 'Then', value: `${priceOf(interval)}, until you cancel` },
          { label: 'Your fee', value: `${PLAN_FEES.premium} in place of ${PLAN_FEES.standard}` },
          { label: 'Cancel', value: 'Any time, for the end of the period' },
        ]}
      />
      <p className="mt-4 max-w-text text-sm text-ink-soft">
        Transactions under way keep the fee with which they were opened. When a later payment fails, Premium lasts for{' '}
        {PREMIUM_GRACE_DAYS} more days, so that you can pay with another card.
      </p>
    </section>
  )
}
