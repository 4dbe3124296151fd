import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../components/button.js'
import { classes } from '../../lib/class-names.js'
import { operator } from '../../lib/operator.js'
import { paths } from '../../lib/paths.js'
import { PLAN_FEES, PREMIUM_PRICE } from '../plans/shared/plan-words.js'

interface Plan {
  readonly name: string
  readonly price: string
  readonly unit: string
  readonly points: readonly string[]
  readonly action?: ReactNode
}

const PLANS: readonly Plan[] = [
  {
    name: 'Standard',
    price: PLAN_FEES.standard,
    unit: `for the seller and ${PLAN_FEES.standard} for the buyer`,
    points: ['Every protection there is', 'Payment by card, for a surcharge that the total shows', 'No monthly price'],
  },
  {
    name: 'Premium',
    price: PLAN_FEES.premium,
    unit: `each, for ${PREMIUM_PRICE}`,
    points: [
      'The reduced fee on every transaction',
      'Billed monthly, pays for itself from $6,000 of monthly sales',
      'See first what it would save you',
    ],
    action: (
      <ButtonLink to={paths.upgrade} className="w-full">
        Upgrade to Premium
      </ButtonLink>
    ),
  },
  {
    name: 'Enterprise',
    price: 'Custom',
    unit: 'pricing for your volume',
    points: ['Custom integration', 'Terms agreed with you', `Our team answers ${operator.answerTime ?? 'by mail'}`],
    action: (
      <ButtonLink to={paths.enterprise} kind="quiet" className="w-full">
        Contact Sales
      </ButtonLink>
    ),
  },
]

export function Pricing() {
  return (
    <section aria-labelledby="pricing" className="page my-20 sm:my-28">
      <h2 id="pricing" className="display text-2xl sm:text-3xl">
        What it costs
      </h2>
      <p className="mt-3 max-w-text text-ink-soft">
        Before you pay, the payment page states the whole total, to the cent. What it says is what is charged.
      </p>
      <ul className="mt-9 grid rounded-lg border border-rule bg-surface lg:grid-cols-3">
        {PLANS.map((plan, index) => (
          <li
            key={plan.name}
            className={classes(
              'flex flex-col p-6 sm:p-8',
              index > 0 && 'border-t border-rule lg:border-t-0 lg:border-l',
            )}
          >
            <h3 className="font-semibold">{plan.name}</h3>
            <p className="mt-3">
              <span className="display figures text-3xl">{plan.price}</span>
              <span className="mt-1 block text-ink-soft">{plan.unit}</span>
            </p>
            <ul className="mt-5 mb-7 grid gap-2">
              {plan.points.map(point => (
                <li key={point} className="flex gap-2.5 text-ink-soft">
                  <Check aria-hidden="true" className="mt-1 size-4 shrink-0 text-ink" />
                  {point}
                </li>
              ))}
            </ul>
            {plan.action && <div className="mt-auto">{plan.action}</div>}
          </li>
        ))}
      </ul>
    </section>
  )
}
