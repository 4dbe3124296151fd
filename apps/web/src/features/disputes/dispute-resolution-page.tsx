import { pages } from '@holdfast/contracts/pages'
import { ButtonLink } from '../../components/button.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { useSession } from '../../lib/current-user.js'
import { paths } from '../../lib/paths.js'

const PROCESS = [
  {
    title: 'File',
    time: 'within 7 days of delivery',
    text: 'Say what happened. Every clock of the transaction stops.',
  },
  {
    title: 'Investigation',
    time: '24-48 hours',
    text: 'A mediator reads the terms, the chat and what both sides send.',
  },
  {
    title: 'Mediation',
    time: '2-3 business days',
    text: 'Both of you say what happened, and may settle at any amount.',
  },
  { title: 'Decision', time: '3-5 business days', text: 'A ruling to the cent. It can be appealed within 7 days.' },
] as const

const TYPES = [
  { title: 'Item not received', resolution: 'Full refund when the carrier cannot show a delivery' },
  { title: 'Item not as described', resolution: 'Partial refund, or a return for a full refund' },
  { title: 'Item damaged', resolution: 'Refund or exchange, by the state of packing and photographs' },
  { title: 'Seller unresponsive', resolution: 'Full refund when nothing was shipped' },
] as const

const EVIDENCE = [
  'Photographs of the item, of each fault, and of the packing',
  'The tracking number and what the carrier wrote',
  'What was agreed in the chat of the transaction',
  'Receipts or expert opinions where authenticity is in doubt',
] as const

const PRACTICES = [
  'Write to the other side first: most disputes are misunderstandings',
  'File before the inspection period ends; afterwards the money has moved',
  'Keep to facts and dates',
  'Keep the item as it arrived until the decision',
] as const

export default function DisputeResolutionPage() {
  return (
    <div className="page">
      <PageHead page={pages.disputeResolution} />
      <PageHeader
        title="Dispute Resolution"
        lead="When a deal goes wrong, people look at it. While they do, the money stays where it is."
        actions={<FileButton />}
      />
      <ol className="grid border-t-2 border-ink sm:grid-cols-2 lg:grid-cols-4">
        {PROCESS.map((step, index) => (
          <li key={step.title} className="py-5 pr-6">
            <p className="figures text-sm text-ink-faint">{index + 1}</p>
            <h2 className="font-semibold">{step.title}</h2>
            <p className="text-sm font-medium text-ink">{step.time}</p>
            <p className="mt-1 text-sm text-ink-soft">{step.text}</p>
          </li>
        ))}
      </ol>
      <section className="mt-12">
        <h2 className="display text-xl">What disputes are about</h2>
        <dl className="mt-4 divide-y divide-rule border-y border-rule">
          {TYPES.map(type => (
            <div key={type.title} className="grid gap-1 py-4 sm:grid-cols-[16rem_1fr] sm:gap-8">
              <dt className="font-semibold">{type.title}</dt>
              <dd className="text-ink-soft">{type.resolution}</dd>
            </div>
          ))}
        </dl>
      </section>
      <div className="mt-12 grid gap-10 md:grid-cols-2">
        <Checklist title="Evidence that helps" items={EVIDENCE} />
        <Checklist title="Best practices" items={PRACTICES} />
      </div>
      <section className="mt-14 flex flex-wrap items-center justify-between gap-6 border-t-2 border-ink pt-8">
        <div>
          <h2 className="display text-xl">Does something need a mediator?</h2>
          <p className="mt-1 text-ink-soft">Filing takes five minutes and costs nothing.</p>
        </div>
        <div className="flex flex-wrap gap-3">
          <ButtonLink to={paths.support} kind="quiet">
            Contact Support
          </ButtonLink>
          <FileButton />
        </div>
      </section>
    </div>
  )
}

function FileButton() {
  const { user } = useSession()
  return <ButtonLink to={user ? paths.fileDispute : paths.auth}>File a Dispute</ButtonLink>
}

function Checklist({ title, items }: { title: string; items: readonly string[] }) {
  return (
    <section>
      <h2 className="border-b border-ink pb-2 font-semibold">{title}</h2>
      <ul className="divide-y divide-rule">
        {items.map(item => (
          <li key={item} className="py-2.5 text-ink-soft">
            {item}
          </li>
        ))}
      </ul>
    </section>
  )
}
