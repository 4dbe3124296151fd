import { adminRoutes } from 'virtual:admin-routes'
import { pages } from '@holdfast/contracts/pages'
import { displayAmount } from '@holdfast/kernel/money'
import { Link } from 'react-router-dom'
import type { SWRResponse } from 'swr'
import { Badge } from '../../components/badge.js'
import { paths } from '../../lib/paths.js'
import { useCall } from '../../lib/use-call.js'
import { ConsolePage } from './shared/console-page.js'
import { ROW } from './shared/console-row.js'

/** What needs an operator, by page. */
export default function OverviewPage() {
  const approvals = useCall(adminRoutes.listApprovals, { query: { state: 'waiting', limit: MOST } })
  const refunds = useCall(adminRoutes.listUnfinishedRefunds, {})
  const stuck = useCall(adminRoutes.listStuck, {})
  const letters = useCall(adminRoutes.listDeadLetters, { query: { limit: MOST } })
  const events = useCall(adminRoutes.listEventsForOperators, { query: { limit: MOST } })
  const disputes = useCall(adminRoutes.listDisputeQueue, { query: { limit: MOST } })
  const payouts = useCall(adminRoutes.listOpenPayouts, {})
  const documents = useCall(adminRoutes.listVerifications, { query: { limit: MOST } })
  const enquiries = useCall(adminRoutes.listEnquiries, { query: { state: 'open', limit: MOST } })
  const waitingDisputes = { ...disputes, data: disputes.data?.filter(({ turn }) => turn === 'mediator') }
  const returnedPayouts = { ...payouts, data: payouts.data?.filter(({ status }) => status === 'returned') }
  const failed = { ...refunds, data: refunds.data?.filter(({ status }) => status === 'failed') }
  return (
    <ConsolePage page={pages.admin} lead="What needs an operator now.">
      <ul className="border-t border-ink">
        <Count to={paths.adminDisputes} label="Disputes that wait for a mediator" of={waitingDisputes} />
        <Count to={paths.adminApprovals} label="Requests that wait for a second admin" of={approvals} />
        <Count to={paths.adminRefunds} label="Refunds that failed" of={failed} />
        <Count to={paths.adminPayouts} label="Payouts that came back" of={returnedPayouts} />
        <Count to={paths.adminVerifications} label="Identity documents that wait for a review" of={documents} />
        <Count to={paths.adminEnquiries} label="Enquiries without an answer" of={enquiries} />
        <Count to={paths.adminStuck} label="What does not go on by itself" of={stuck} />
        <Count to={paths.adminDeadLetters} label="Events that a handler failed on" of={letters} />
        <Count to={paths.adminProviderEvents} label="Events of the provider that need an operator" of={events} />
        <Books />
      </ul>
    </ConsolePage>
  )
}

/** The most that one list answers. */
const MOST = 100

function Count({
  to,
  label,
  of,
}: {
  to: string
  label: string
  of: Pick<SWRResponse<readonly unknown[]>, 'data' | 'error'>
}) {
  const count = of.data?.length
  const words = of.error
    ? 'Could not be loaded'
    : count === undefined
      ? '…'
      : count >= MOST
        ? `${MOST} or more`
        : String(count)
  return (
    <Line to={to} label={label}>
      <Badge tone={of.error || count ? 'trouble' : 'neutral'}>{words}</Badge>
    </Line>
  )
}

/** Whether the books are right: they sum to zero, and the deals hold what the ledger says. */
function Books() {
  const { data, error } = useCall(adminRoutes.getTrialBalance, {})
  const wrong = data?.filter(
    ({ total, heldByDeals, accounts }) =>
      Number(total) !== 0 || heldByDeals !== (accounts.find(({ kind }) => kind === 'hold')?.balance ?? heldByDeals),
  )
  const held = data?.map(({ heldByDeals, currency }) => displayAmount(heldByDeals, currency)).join(', ')
  const words = error
    ? 'Could not be loaded'
    : !wrong
      ? '…'
      : wrong.length > 0
        ? 'They differ: an incident'
        : `${held} held`
  return (
    <Line to={paths.adminLedger} label="The books against the deals">
      <Badge tone={error || wrong?.length ? 'trouble' : 'held'}>{words}</Badge>
    </Line>
  )
}

function Line({ to, label, children }: { to: string; label: string; children: React.ReactNode }) {
  return (
    <li className="border-b border-rule">
      <Link to={to} {...ROW} className="flex min-h-12 items-center justify-between gap-4 px-1 py-2 hover:bg-sunken">
        <span className="font-semibold">{label}</span>
        {children}
      </Link>
    </li>
  )
}
