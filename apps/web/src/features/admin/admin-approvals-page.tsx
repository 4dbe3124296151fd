import { adminRoutes } from 'virtual:admin-routes'
import type { Approval } from '@holdfast/contracts/admin-escrow'
import { pages } from '@holdfast/contracts/pages'
import { useState } from 'react'
import { StatusBadge } from '../../components/badge.js'
import { dialogOnDemand } from '../../components/dialog-on-demand.js'
import { Money } from '../../components/money.js'
import { QueryState } from '../../components/query-state.js'
import { RelativeTime } from '../../components/relative-time.js'
import { Segmented } from '../../components/segmented.js'
import { useCall } from '../../lib/use-call.js'
import { LoadingList } from './loading-list.js'
import { KnownNames, UserName, usersIn } from './names.js'
import { ConsoleList } from './shared/console-list.js'
import { ConsolePage } from './shared/console-page.js'
import { SubjectLink } from './subject-link.js'
import { useApprovalLimit } from './use-approval-limit.js'
import { APPROVAL_LOOKS, GUARDED_WORDS } from './words.js'

const RequestDialog = dialogOnDemand(() => import('./acts/request-dialog.js'))

const STATES = [
  { value: 'waiting', label: 'Waiting' },
  { value: 'all', label: 'All' },
] as const

/** What admins asked for that needs a second one. */
export default function ApprovalsPage() {
  const [shown, setShown] = useState<'waiting' | 'all'>('waiting')
  const [opened, open] = useState<Approval | null>(null)
  const limit = useApprovalLimit()
  const query = useCall(adminRoutes.listApprovals, { query: shown === 'waiting' ? { state: 'waiting' } : {} })
  return (
    <ConsolePage
      page={pages.adminApprovals}
      lead={`Acts above ${limit?.words ?? 'the limit'} are done when a second admin approves them. Rulings that wait stand in the dispute queue.`}
      actions={<Segmented legend="Which" hideLegend options={STATES} value={shown} onChange={setShown} />}
    >
      <QueryState
        query={query}
        errorTitle="The requests could not be loaded"
        loading={<LoadingList label="Loading requests" />}
      >
        {items => (
          <KnownNames ids={items.flatMap(({ askedBy, subject }) => [askedBy, ...usersIn(subject)])}>
            <ConsoleList
              caption="Requests"
              items={items}
              keyOf={({ id }) => id}
              open={open}
              empty={shown === 'waiting' ? 'Nothing waits for a second admin.' : 'Nothing was asked for yet.'}
              columns={[
                { label: 'What', cell: ({ kind }) => GUARDED_WORDS[kind] },
                { label: 'On', cell: ({ subject }) => <SubjectLink subject={subject} /> },
                { label: 'Amount', cell: item => <Money {...item} />, align: 'right' },
                { label: 'Asked by', cell: ({ askedBy }) => <UserName id={askedBy} /> },
                {
                  label: 'Asked',
                  cell: ({ askedAt }) => <RelativeTime at={askedAt} className="whitespace-nowrap" />,
                },
                { label: 'State', cell: ({ state }) => <StatusBadge status={state} looks={APPROVAL_LOOKS[state]} /> },
              ]}
            />
          </KnownNames>
        )}
      </QueryState>
      <RequestDialog open={opened !== null} close={() => open(null)} request={opened} />
    </ConsolePage>
  )
}
