import { adminRoutes } from 'virtual:admin-routes'
import type { QueuedDispute } from '@holdfast/contracts/disputes'
import { DISPUTE_STATUSES, type DisputeStatus, type DisputeTurn } from '@holdfast/kernel/disputes'
import { isZero } from '@holdfast/kernel/money'
import { Link, useSearchParams } from 'react-router-dom'
import { Badge, humanCase } from '../../../components/badge.js'
import { EmptyState } from '../../../components/empty-state.js'
import { Field } from '../../../components/field.js'
import { Money } from '../../../components/money.js'
import { QueryState } from '../../../components/query-state.js'
import { Select } from '../../../components/select.js'
import { Loading, Skeleton } from '../../../components/skeleton.js'
import { classes } from '../../../lib/class-names.js'
import { paths } from '../../../lib/paths.js'
import { formatDateTime, formatTimeLeft } from '../../../lib/time.js'
import { useCall } from '../../../lib/use-call.js'
import { useNow } from '../../../lib/use-now.js'
import { ROW } from '../../admin/shared/console-row.js'
import { DisputeBadge } from '../dispute-badge.js'
import { reasonLabel } from '../dispute-labels.js'
import { TakenBadge } from '../taken-badge.js'

/** A mediator gets no live events of other people's deals, so the queue is asked for again this often. */
const REFRESH_MS = 15_000
const LIMIT = 100

/** The disputes for mediators: one row each, the earliest time limit first, those that wait for a bank last. */
export function DisputeQueue() {
  const [status, setStatus] = useStatusFilter()
  const query = useCall(
    adminRoutes.listDisputeQueue,
    { query: { limit: LIMIT, ...(status === '' ? {} : { status: [status] }) } },
    { refreshInterval: REFRESH_MS, keepPreviousData: true },
  )
  return (
    <>
      <Field label="Status" className="mb-6 max-w-60">
        <Select value={status} onChange={event => setStatus(event.target.value)}>
          <option value="">All that are not closed</option>
          {DISPUTE_STATUSES.map(each => (
            <option key={each} value={each}>
              {humanCase(each)}
            </option>
          ))}
        </Select>
      </Field>
      <QueryState query={query} errorTitle="The disputes could not be loaded" loading={<QueueSkeleton />}>
        {disputes => (disputes.length === 0 ? <NoDisputes /> : <Rows disputes={disputes} />)}
      </QueryState>
    </>
  )
}

function useStatusFilter(): [DisputeStatus | '', (status: string) => void] {
  const [params, setParams] = useSearchParams()
  const status = DISPUTE_STATUSES.find(each => each === params.get('status')) ?? ''
  return [status, next => setParams(next === '' ? {} : { status: next }, { replace: true, preventScrollReset: true })]
}

/** The rows. Each is a link, so Enter opens it; the keys of the console lead from one to the next. */
function Rows({ disputes }: { disputes: readonly QueuedDispute[] }) {
  return (
    <ul aria-label="Disputes" className="divide-y divide-rule border-y border-rule">
      {disputes.map(dispute => (
        <li key={dispute.id}>
          <Row dispute={dispute} />
        </li>
      ))}
    </ul>
  )
}

const TURNS: Record<DisputeTurn, string> = {
  buyer: 'The buyer’s turn',
  seller: 'The seller’s turn',
  both: 'Both parties’ turn',
  mediator: 'A mediator’s turn',
  carrier: 'With the carrier',
  bank: 'The bank decides',
  none: 'Being carried out',
}

function turnWords({ turn, takenBy, mediator }: QueuedDispute): string {
  if (turn !== 'mediator' || takenBy === null) return TURNS[turn]
  return takenBy === 'reader' ? 'Your turn' : mediator ? `${mediator.firstName}’s turn` : TURNS[turn]
}

function Row({ dispute }: { dispute: QueuedDispute }) {
  // A case that nobody has taken is every mediator’s.
  const isMine = dispute.turn === 'mediator' && dispute.takenBy !== 'other'
  const { id, title, reason, status, dueAt, isEscalated, buyer, seller } = dispute
  return (
    <Link
      to={paths.dispute(id)}
      {...ROW}
      className={classes(
        'grid grid-cols-[1fr_auto] items-baseline gap-x-6 gap-y-1 px-2 py-3 -outline-offset-2 hover:bg-sunken sm:grid-cols-[minmax(8rem,1fr)_minmax(0,11rem)_minmax(0,12rem)_minmax(0,7rem)]',
        isEscalated && 'border-l-4 border-trouble',
      )}
    >
      <span className="order-1 min-w-0 sm:order-none">
        <span className="block font-semibold sm:truncate">{title}</span>
        <span className="block text-sm text-ink-soft">
          #{id}, {buyer.firstName} bought from {seller.firstName}, {reasonLabel(reason)}
        </span>
      </span>
      <span className="order-4 col-span-2 flex flex-wrap gap-1.5 sm:order-none sm:col-span-1">
        <DisputeBadge status={status} />
        {isEscalated && <Badge tone="trouble">Late</Badge>}
        {dispute.waitsForApproval && <Badge>Waits for a second admin</Badge>}
        <TakenBadge takenBy={dispute.takenBy} mediator={dispute.mediator} />
      </span>
      <span className="order-3 col-span-2 text-sm sm:order-none sm:col-span-1">
        {status !== 'closed' && (
          <>
            <span className={classes('block font-semibold', isMine && 'text-needs')}>{turnWords(dispute)}</span>
            <Due dueAt={dueAt} />
          </>
        )}
      </span>
      <span className="order-2 text-right text-sm text-ink-soft sm:order-none">
        <Held dispute={dispute} />
      </span>
    </Link>
  )
}

/** What the deal holds: this is what the mediator decides about, and it may be less than the price. */
function Held({ dispute: { held, currency } }: { dispute: QueuedDispute }) {
  if (held === null) return 'Held amount not known'
  if (isZero(held)) return 'Nothing held'
  return (
    <>
      Held <Money amount={held} currency={currency} className="text-base text-ink" />
    </>
  )
}

function Due({ dueAt }: { dueAt: string | null }) {
  const now = useNow()
  if (dueAt === null) return <span className="text-ink-soft">No time limit runs</span>
  const due = new Date(dueAt)
  const left = formatTimeLeft(due, now)
  return (
    <time
      dateTime={dueAt}
      title={formatDateTime(due)}
      className={left ? 'text-ink-soft' : 'font-semibold text-trouble'}
    >
      {left ? `Next limit in ${left}` : `Due since ${formatDateTime(due)}`}
    </time>
  )
}

const NoDisputes = () => <EmptyState title="No disputes">No dispute has this status now.</EmptyState>

function QueueSkeleton() {
  return (
    <Loading label="Loading disputes">
      <Skeleton className="h-16 w-full" />
      <Skeleton className="mt-2 h-16 w-full" />
      <Skeleton className="mt-2 h-16 w-full" />
    </Loading>
  )
}
