import { pages } from '@holdfast/contracts/pages'
import {
  AS_IS_CARRIER_INSPECTION_DAYS,
  PAYMENT_WINDOW_DAYS,
  RECEIVE_BY_DAYS_AFTER_HANDOVER,
  RECEIVE_BY_DAYS_AFTER_SHIPPING,
  SHIP_BY_DAYS,
} from '@holdfast/kernel/clocks'
import { buyerBasisPoints, CURRENT_FEE_SCHEDULE, FEE_SCHEDULES, formatBasisPoints } from '@holdfast/kernel/fees'
import { ButtonLink } from '../../components/button.js'
import { TextLink } from '../../components/link.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { HELD_BY } from '../../lib/operator.js'
import { paths } from '../../lib/paths.js'
import { isOffered, METHODS, waysToPay } from '../payment/shared/methods.js'
import { FEES_SENTENCE } from '../plans/shared/plan-words.js'
import { ProseList, ProseSection } from './prose.js'

export default function PlatformPage() {
  return (
    <div className="page">
      <PageHead page={pages.platform} />
      <PageHeader
        title="How It Works"
        lead="The buyer's money waits in the middle until the item has arrived and been accepted."
        actions={<ButtonLink to={paths.createListing}>Start a Transaction</ButtonLink>}
      />
      <ProseSection id="how-it-works" title="From payment to release">
        <ProseList ordered items={STEPS} />
        <Deadlines />
      </ProseSection>
      <ProseSection id="fees" title="Fees">
        <Fees />
      </ProseSection>
      <ProseSection id="security" title="Security">
        <ProseList items={SECURITY} />
      </ProseSection>
      <ProseSection id="api" title="API">
        <p>
          Everything these pages do, they do through calls that are described in full.{' '}
          <a href="/api/docs" className="link">
            Read the API documentation
          </a>{' '}
          or fetch it{' '}
          <a href="/api/openapi.json" className="link">
            as OpenAPI 3.1
          </a>
          .
        </p>
      </ProseSection>
    </div>
  )
}

const STEPS = [
  'The buyer pays into escrow. The amount is held for this one transaction.',
  'The seller ships, with optional tracking.',
  'Delivery moves the transaction to an inspection period.',
  'The buyer inspects and accepts, or the inspection period ends.',
  'Funds are released to the seller.',
] as const

const SECURITY = [
  'The mark beside a name means that this identity was checked.',
  `Held money is held by ${HELD_BY}.`,
  'Every movement of money is written twice, once on each side, and nothing written is ever changed. You can read the postings of your own transactions.',
  'Card numbers go to the payment provider directly and never reach our servers.',
  'During a dispute the money stays held. A dispute does not move the deadlines of whoever filed it, and has deadlines of its own.',
] as const

const days = (count: number) => (count === 1 ? '24 hours' : `${count} days`)

/** "bank or crypto": the ways to pay besides cards that are offered. Both have the same fees and the same time. */
const besidesCards = () =>
  METHODS.filter(({ value }) => value !== 'card' && isOffered(value))
    .map(({ label }) => label.toLowerCase())
    .join(' or ')

/** How long a buyer has to pay, by the ways that are offered. */
const paymentWindows = () =>
  [
    { ways: 'card', count: PAYMENT_WINDOW_DAYS.card },
    { ways: besidesCards(), count: PAYMENT_WINDOW_DAYS.bank },
  ]
    .filter(({ ways }) => ways !== '')
    .map(({ ways, count }) => ({
      what: `To pay by ${ways}`,
      time: days(count),
      otherwise: 'cancelled, nothing charged',
    }))

const DEADLINES = [
  { what: 'To ship', time: days(SHIP_BY_DAYS), otherwise: 'refunded in full' },
  { what: 'To arrive, once shipped', time: days(RECEIVE_BY_DAYS_AFTER_SHIPPING), otherwise: 'a mediator looks at it' },
  {
    what: 'To arrive, once handed over',
    time: days(RECEIVE_BY_DAYS_AFTER_HANDOVER),
    otherwise: 'a mediator looks at it',
  },
  { what: 'To inspect', time: 'as agreed, up to 7 days', otherwise: 'released to the seller' },
  {
    what: "To object, as-is and delivered by the carrier's word",
    time: `${AS_IS_CARRIER_INSPECTION_DAYS * 24} hours`,
    otherwise: 'released to the seller',
  },
] as const

function Deadlines() {
  return (
    <div>
      <table className="w-full text-left text-sm">
        <caption className="mt-2 mb-2 text-left font-semibold text-ink">Every step has a date</caption>
        <thead>
          <tr className="border-b border-ink text-ink">
            <th scope="col" className="py-2 pr-4 font-semibold">
              Step
            </th>
            <th scope="col" className="py-2 pr-4 font-semibold">
              Time
            </th>
            <th scope="col" className="py-2 font-semibold">
              Otherwise
            </th>
          </tr>
        </thead>
        <tbody>
          {[...paymentWindows(), ...DEADLINES].map(row => (
            <tr key={row.what} className="border-b border-rule align-top">
              <th scope="row" className="py-2 pr-4 font-normal">
                {row.what}
              </th>
              <td className="figures py-2 pr-4">{row.time}</td>
              <td className="py-2">{row.otherwise}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Fees() {
  const schedule = FEE_SCHEDULES[CURRENT_FEE_SCHEDULE]
  const { standard } = schedule.planBasisPoints
  const others = besidesCards()
  const byCard = formatBasisPoints(buyerBasisPoints(schedule, 'standard', 'card'))
  return (
    <>
      <p>
        {FEES_SENTENCE} <TextLink to={paths.upgrade}>See what Premium would save you</TextLink>. Enterprise pricing is
        custom.
      </p>
      <p>
        The payment page lists what a purchase costs. You can pay {waysToPay()}.{' '}
        {others ? (
          <>
            A Standard buyer who pays by {others} pays a platform fee of {formatBasisPoints(standard)}. Paying by card
            adds {formatBasisPoints(schedule.methods.card.basisPoints)}, so that the platform fee is {byCard}, and a
            processing fee of $5.00.
          </>
        ) : (
          <>A Standard buyer pays a platform fee of {byCard} and a processing fee of $5.00.</>
        )}{' '}
        <strong className="font-semibold text-ink">The total it states is what is charged, to the cent.</strong> The
        seller's fee is taken from the price at release.
      </p>
    </>
  )
}
