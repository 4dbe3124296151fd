import { routes } from 'virtual:routes'
import { pages } from '@holdfast/contracts/pages'
import { lazy, Suspense } from 'react'
import { ButtonLink, buttonClass } from '../../components/button.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { Panel } from '../../components/panel.js'
import { Skeleton } from '../../components/skeleton.js'
import { mailTo, SALES_EMAIL } from '../../lib/contact.js'
import { useSession } from '../../lib/current-user.js'
import { operator } from '../../lib/operator.js'
import { paths } from '../../lib/paths.js'
import { useCall } from '../../lib/use-call.js'
import { BREAK_EVEN_SALES } from './savings.js'
import { PLAN_FEES, PREMIUM_MONTH_OF_YEAR, PREMIUM_MONTHLY, PREMIUM_PRICE } from './shared/plan-words.js'
import { YourPremium } from './shared/your-premium.js'

// Price and features can be read before its form is loaded.
const Calculator = lazy(() => import('./calculator.js'))

const FEATURES = [
  {
    title: 'Reduced fee',
    text: `${PLAN_FEES.premium} for your side in place of ${PLAN_FEES.standard}, on every transaction you open.`,
  },
  { title: 'Same protection', text: 'The hold, the clocks and disputes work the same on every plan.' },
  { title: 'Frozen with the deal', text: 'A transaction keeps the plan under which it was opened.' },
  { title: 'Monthly or yearly', text: `${PREMIUM_PRICE}.` },
] as const

const QUESTIONS = [
  {
    question: 'Who should upgrade?',
    answer: `Billed monthly, a seller of more than $${BREAK_EVEN_SALES.toLocaleString('en-US')} a month saves more than Premium costs.`,
  },
  { question: 'What does Premium cost?', answer: `${PREMIUM_PRICE}, with the reduced fee of ${PLAN_FEES.premium}.` },
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
            <span className="display figures text-3xl">{PREMIUM_MONTHLY}</span>
            <span className="text-ink-soft">/month</span>
            <span className="block text-sm text-ink-soft">
              billed monthly, or {PREMIUM_MONTH_OF_YEAR} a month billed yearly
            </span>
          </p>
          {user?.plan === 'premium' ? (
            <CurrentPlan />
          ) : (
            <ButtonLink to={user ? paths.subscribe : paths.auth} size="lg" className="w-full">
              Upgrade to Premium
            </ButtonLink>
          )}
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
      <Suspense fallback={<Skeleton className="mt-14 h-96 w-full" />}>
        <Calculator />
      </Suspense>
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
          <p className="mt-1 text-ink-soft">
            Custom pricing for your volume.{operator.answerTime && ` The team answers ${operator.answerTime}.`}
          </p>
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

/** What a user with Premium has, and when it is charged. */
function CurrentPlan() {
  const { data, error } = useCall(routes.getSubscription, {})
  return (
    <div className="grid gap-4">
      {data ? <YourPremium subscription={data} /> : !error && <Skeleton className="h-18 w-full" />}
      <ButtonLink to={paths.payouts} kind="quiet" className="w-full">
        Manage Your Plan
      </ButtonLink>
    </div>
  )
}
