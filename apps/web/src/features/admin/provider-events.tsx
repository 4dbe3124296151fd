import { adminRoutes } from 'virtual:admin-routes'
import type { EventForOperator } from '@holdfast/contracts/admin-escrow'
import { pages } from '@holdfast/contracts/pages'
import { PROVIDER_EVENT_RUNBOOKS } from '@holdfast/kernel/admin'
import { useState } from 'react'
import { Button } from '../../components/button.js'
import { dialogOnDemand } from '../../components/dialog-on-demand.js'
import { QueryState } from '../../components/query-state.js'
import { RelativeTime } from '../../components/relative-time.js'
import { useCall } from '../../lib/use-call.js'
import type { ProviderEventDialogProps } from './acts/provider-event-dialog.js'
import { LoadingList } from './loading-list.js'
import { ConsoleFrame } from './shared/console-frame.js'
import { ConsoleList } from './shared/console-list.js'
import { ROW } from './shared/use-console-keys.js'
import { SubjectLink } from './subject-link.js'
import { PROVIDER_EVENT_WORDS } from './words.js'

const ProviderEventDialog = dialogOnDemand<ProviderEventDialogProps>(
  async () => (await import('./acts/dialogs.js')).ProviderEventDialog,
)

/** The provider's events after which an operator must book or decide something. */
export function ProviderEvents() {
  const query = useCall(adminRoutes.listEventsForOperators, {})
  const [opened, open] = useState<EventForOperator | null>(null)
  return (
    <ConsoleFrame
      page={pages.adminProviderEvents}
      lead="What needs an entry by hand or a decision, the oldest first. The runbook of each says what to do."
    >
      <QueryState
        query={query}
        errorTitle="The events could not be loaded"
        loading={<LoadingList label="Loading events" />}
      >
        {items => (
          <ConsoleList
            caption="Events of the provider that need an operator"
            items={items}
            keyOf={({ why, id }) => `${why} ${id}`}
            empty="No event needs an operator."
            columns={[
              {
                label: 'Why',
                cell: ({ why }) => (
                  <>
                    <span className="font-semibold">{PROVIDER_EVENT_WORDS[why]}</span>
                    <code className="block text-xs font-normal text-ink-soft">
                      docs/runbooks/{PROVIDER_EVENT_RUNBOOKS[why]}
                    </code>
                  </>
                ),
              },
              {
                label: 'About',
                cell: ({ why, about, id }) => (
                  <span className="inline-block [overflow-wrap:anywhere] sm:min-w-56">
                    {about}
                    {/* What does not fit is found at the provider by the id of its event. */}
                    {why === 'unfitting' && <span className="block text-ink-soft">{id}</span>}
                  </span>
                ),
              },
              {
                label: 'On',
                cell: ({ transactionId }) =>
                  transactionId === null ? '' : <SubjectLink subject={`transaction:${transactionId}`} />,
              },
              { label: 'When', cell: ({ at }) => <RelativeTime at={at} className="whitespace-nowrap" /> },
              {
                label: 'Act',
                cell: event => (
                  <Button kind="quiet" size="sm" {...ROW} onClick={() => open(event)}>
                    Mark as done
                  </Button>
                ),
              },
            ]}
          />
        )}
      </QueryState>
      <ProviderEventDialog open={opened !== null} close={() => open(null)} event={opened} />
    </ConsoleFrame>
  )
}
