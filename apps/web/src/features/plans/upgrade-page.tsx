import { pages } from '@holdfast/contracts/pages'
import { useState } from 'react'
import { ButtonLink, buttonClass } from '../../components/button.js'
import { Field } from '../../components/field.js'
import { AmountInput } from '../../components/input.js'
import { Money } from '../../components/money.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { Panel } from '../../components/panel.js'
import { mailTo, SALES_EMAIL } from '../../lib/contact.js'
import { useSession } from '../../lib/current-user.js'
import { paths } from '../../lib/paths.js'
import { BREAK_EVEN_SALES, EXAMPLE_SALES, MAX_SALES, savingsOf } from './savings.js'

const FEATURES = [
  { title: 'Reduced fee', text: '1.0% each in place of 1.5%, on every transaction.' },
  { title: 'Same protection', text: 'The hold, the clocks and mediation are the same on every plan.' },
  { title: 'Frozen with the deal', text: 'A transaction keeps the plan under which it was opened.' },
  { title: 'Monthly', text: '$30 a month, until you end it.' },
] as const

const QUESTIONS = [
  {
    question: 'Who should upgrade?',
    answer: `Whoever sells for more than $${BREAK_EVEN_SALES.toLocaleString('en-US')} a month saves more than it costs.`,
  },
  { question: 'What does Premium cost?', answer: 'Premium is $20 per month with the reduced fee of 1.0%.' },
  {
    question: 'What about transactions under way?',
    answer: 'They keep the fee they were opened with. New ones get the reduced fee.',
  },
] as const

export default function UpgradePage() {
  const { user } = useSession()
  return (
    <div className="page">
      <PageHead page={pages.upgrade} />
      <PageHeader
        title="Upgrade to Premium"
        lead="A lower fee for people who trade often."
        back={{ to: paths.dashboard, label: 'Back to Dashboard' }}
      />
      <div className="grid gap-10 lg:grid-cols-[22rem_1fr] lg:gap-16">
        <Panel className="self-start">
          <h2 className="font-semibold">Premium Plan</h2>
          <p className="mt-3 mb-6">
            <span className="display figures text-3xl">$30</span>
            <span className="text-ink-soft">/month</span>
          </p>
          <ButtonLink to={user ? paths.subscribe : paths.auth} size="lg" className="w-full">
            Upgrade to Premium
          </ButtonLink>
        </Panel>
        <dl className="grid content-start gap-x-10 gap-y-6 sm:grid-cols-2">
          {FEATURES.map(feature => (
            <div key={feature.title}>
              <dt className="font-semibold">{feature.title}</dt>
              <dd className="mt-1 text-ink-soft">{feature.text}</dd>
            </div>
          ))}
        </dl>
      </div>
      <Calculator />
      <section className="mt-14">
        <h2 className="display text-xl">Questions</h2>
        <dl className="mt-4 divide-y divide-rule border-y border-rule">
          {QUESTIONS.map(({ question, answer }) => (
            <div key={question} className="grid gap-1 py-4 sm:grid-cols-[18rem_1fr] sm:gap-8">
              <dt className="font-semibold">{question}</dt>
              <dd className="text-ink-soft">{answer}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section className="mt-14 flex flex-wrap items-center justify-between gap-6 border-t-2 border-ink pt-8">
        <div>
          <h2 className="display text-xl">Enterprise</h2>
          <p className="mt-1 text-ink-soft">Custom pricing for your volume. The team answers within 24 hours.</p>
        </div>
        <div className="flex flex-wrap gap-3">
          <a href={mailTo(SALES_EMAIL, 'Enterprise pricing')} className={buttonClass('quiet')}>
            Contact Sales
          </a>
          <ButtonLink to={paths.enterprise} kind="quiet">
            Get Enterprise Pricing
          </ButtonLink>
        </div>
      </section>
    </div>
  )
}

/** What one's own sales would cost on each plan, beside three examples. */
function Calculator() {
  const [sales, setSales] = useState('8000')
  return (
    <section className="mt-14">
      <h2 className="display text-xl">Savings calculator</h2>
      <p className="mt-1 max-w-prose text-ink-soft">
        Premium pays for itself from ${BREAK_EVEN_SALES.toLocaleString('en-US')} of monthly sales on.
      </p>
      <div className="mt-5 max-w-2xs">
        <Field label="Your monthly sales">
          <AmountInput
            symbol="$"
            min={0}
            max={MAX_SALES}
            step={100}
            value={sales}
            onChange={event => setSales(event.target.value)}
          />
        </Field>
      </div>
      <div className="mt-5">
        <table className="w-full text-left text-sm sm:text-base">
          <thead>
            <tr className="border-b border-ink align-bottom text-sm">
              <th scope="col" className="py-2 pr-2 sm:pr-4 font-semibold">
                Monthly sales
              </th>
              <th scope="col" className="py-2 pr-2 sm:pr-4 text-right font-semibold">
                Standard
              </th>
              <th scope="col" className="py-2 pr-2 sm:pr-4 text-right font-semibold">
                Premium
              </th>
              <th scope="col" className="py-2 text-right font-semibold">
                Difference
              </th>
            </tr>
          </thead>
          <tbody aria-live="polite">
            <SavingsRow sales={Number(sales) || 0} own />
            {EXAMPLE_SALES.map(example => (
              <SavingsRow key={example} sales={example} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function SavingsRow({ sales, own }: { sales: number; own?: boolean }) {
  const { standardFee, premiumCost, saved, pays } = savingsOf(sales)
  return (
    <tr className={own ? 'border-b border-ink font-semibold' : 'border-b border-rule text-ink-soft'}>
      <th scope="row" className="py-2.5 pr-2 sm:pr-4 font-[inherit]">
        <Money amount={sales} currency="USD" />
        {own && <span className="sr-only"> (yours)</span>}
      </th>
      <td className="py-2.5 pr-2 sm:pr-4 text-right">
        <Money amount={standardFee} currency="USD" />
      </td>
      <td className="py-2.5 pr-2 sm:pr-4 text-right">
        <Money amount={premiumCost} currency="USD" />
      </td>
      <td className="py-2.5 text-right">
        {pays ? 'saves ' : 'costs '}
        <Money amount={saved.replace('-', '')} currency="USD" />
        {pays ? '' : ' more'}
      </td>
    </tr>
  )
}
