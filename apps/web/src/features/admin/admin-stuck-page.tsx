import { adminRoutes } from 'virtual:admin-routes'
import type { StuckCase } from '@holdfast/contracts/admin'
import { pages } from '@holdfast/contracts/pages'
import type { StuckKind } from '@holdfast/kernel/admin'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import { QueryState } from '../../components/query-state.js'
import { RelativeTime } from '../../components/relative-time.js'
import { paths } from '../../lib/paths.js'
import { useCall } from '../../lib/use-call.js'
import { LoadingList } from './loading-list.js'
import { KnownNames, UserName } from './names.js'
import { ConsoleList } from './shared/console-list.js'
import { ConsolePage } from './shared/console-page.js'
import { SubjectLink } from './subject-link.js'
import { STUCK_WORDS } from './words.js'

/** Where an operator looks at each kind of case. */
const LOOK_AT: Readonly<Record<StuckKind, (found: StuckCase) => string>> = {
  clock_overdue: ({ id }) => paths.adminLedgerSearch(id),
  disputed_without_dispute: ({ id }) => paths.adminLedgerSearch(id),
  payment_unknown: ({ id }) => paths.adminLedgerSearch(id),
  seller_negative: ({ id }) => paths.adminAccount(`seller_payable:${id}`),
  closed_with_balance: ({ id }) => paths.adminAccount(`seller_payable:${id}`),
  refund_failed: () => paths.adminRefunds,
  dispute_waits_for_escrow: ({ transactionId }) => paths.adminLedgerSearch(String(transactionId)),
  payout_waits: () => paths.adminPayouts,
  payout_unanswered: () => paths.adminPayouts,
  chargeback_not_booked: ({ transactionId }) => paths.adminLedgerSearch(String(transactionId)),
  not_checked: () => paths.adminStuck,
}

/** What does not go on by itself. */
export default function StuckPage() {
  const query = useCall(adminRoutes.listStuck, {}, { refreshInterval: REFRESH_MS })
  const navigate = useNavigate()
  return (
    <ConsolePage
      page={pages.adminStuck}
      lead="What does not go on by itself, the oldest first. The runbook of each says what to do."
    >
      <QueryState
        query={query}
        errorTitle="The cases could not be loaded"
        loading={<LoadingList label="Loading cases" />}
      >
        {items => (
          <KnownNames ids={items.flatMap(({ kind, id }) => (OF_SELLERS.has(kind) ? [id] : []))}>
            <ConsoleList
              caption="What does not go on by itself"
              items={items}
              keyOf={({ kind, id }) => `${kind} ${id}`}
              open={found => navigate(LOOK_AT[found.kind](found))}
              empty="Everything goes on."
              columns={[
                {
                  label: 'What',
                  cell: ({ kind }) => <span className="sm:whitespace-nowrap">{STUCK_WORDS[kind]}</span>,
                },
                { label: 'On', cell: subjectOf },
                { label: 'Since', cell: ({ since }) => <RelativeTime at={since} className="whitespace-nowrap" /> },
                { label: 'Why', cell: ({ text }) => text },
                {
                  label: 'Runbook',
                  cell: ({ runbook }) => <code className="text-xs">docs/runbooks/{runbook}</code>,
                },
              ]}
            />
          </KnownNames>
        )}
      </QueryState>
    </ConsolePage>
  )
}

/** The kinds of cases that are about a seller's balance. Their id is the seller's. */
const OF_SELLERS: ReadonlySet<StuckKind> = new Set(['seller_negative', 'closed_with_balance'])

/** What a case is about: a deal, or a seller. */
function subjectOf({ kind, id, transactionId }: StuckCase): ReactNode {
  if (OF_SELLERS.has(kind)) return <UserName id={id} />
  return transactionId === null ? '' : <SubjectLink subject={`transaction:${transactionId}`} />
}

const REFRESH_MS = 30_000
