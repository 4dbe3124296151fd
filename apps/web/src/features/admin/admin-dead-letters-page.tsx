import { adminRoutes } from 'virtual:admin-routes'
import type { DeadLetter } from '@holdfast/contracts/admin-events'
import { pages } from '@holdfast/contracts/pages'
import { useState } from 'react'
import { Badge } from '../../components/badge.js'
import { dialogOnDemand } from '../../components/dialog-on-demand.js'
import { QueryState } from '../../components/query-state.js'
import { RelativeTime } from '../../components/relative-time.js'
import { useCall } from '../../lib/use-call.js'
import { LoadingList } from './loading-list.js'
import { ConsoleList } from './shared/console-list.js'
import { ConsolePage } from './shared/console-page.js'

const ReplayDialog = dialogOnDemand(() => import('./acts/replay-dialog.js'))

/** How often the list is asked for again while a replay that was asked for is not done. */
const REFRESH_MS = 2_000

/** Events that a handler failed on, of all services. */
export default function DeadLettersPage() {
  const query = useCall(
    adminRoutes.listDeadLetters,
    { query: { limit: 100 } },
    { refreshInterval: latest => (latest?.some(({ replayRequestedAt }) => replayRequestedAt) ? REFRESH_MS : 0) },
  )
  const [opened, open] = useState<DeadLetter | null>(null)
  return (
    <ConsolePage
      page={pages.adminDeadLetters}
      lead="Events that a service could not handle. Mend the handler first. The runbook is docs/runbooks/dead-letters.md."
    >
      <QueryState
        query={query}
        errorTitle="The dead letters could not be loaded"
        loading={<LoadingList label="Loading dead letters" />}
      >
        {items => (
          <ConsoleList
            caption="Dead letters"
            items={items}
            keyOf={({ id }) => String(id)}
            open={open}
            empty="Every event was handled."
            columns={[
              {
                label: 'Event',
                cell: ({ type }) => <span className="inline-block [overflow-wrap:anywhere] sm:min-w-48">{type}</span>,
              },
              { label: 'Failed in', cell: ({ group }) => <span className="whitespace-nowrap">{group}</span> },
              { label: 'Error', cell: ({ error }) => <span className="line-clamp-2">{error.split('\n', 1)[0]}</span> },
              { label: 'Failed', cell: ({ at }) => <RelativeTime at={at} className="whitespace-nowrap" /> },
              { label: 'Attempts', cell: ({ attempts }) => attempts, align: 'right' },
              {
                label: 'Replay',
                cell: ({ replayRequestedAt }) =>
                  replayRequestedAt ? <Badge>Asked for</Badge> : <Badge tone="trouble">Open</Badge>,
              },
            ]}
          />
        )}
      </QueryState>
      <ReplayDialog open={opened !== null} close={() => open(null)} letter={opened} />
    </ConsolePage>
  )
}
