import { adminRoutes } from 'virtual:admin-routes'
import type { EventForOperator } from '@holdfast/contracts/admin-events'
import { pages } from '@holdfast/contracts/pages'
import { MAX_PROVIDER_EVENTS_MARKED, PROVIDER_EVENT_RUNBOOKS } from '@holdfast/kernel/admin'
import { useState } from 'react'
import { Button } from '../../components/button.js'
import { dialogOnDemand } from '../../components/dialog-on-demand.js'
import { RelativeTime } from '../../components/relative-time.js'
import { useCall } from '../../lib/use-call.js'
import { usePages } from '../../lib/use-pages.js'
import { PagedList } from './paged-list.js'
import { ConsolePage } from './shared/console-page.js'
import { ROW } from './shared/console-row.js'
import { SubjectLink } from './subject-link.js'
import { PROVIDER_EVENT_WORDS } from './words.js'

const ProviderEventDialog = dialogOnDemand(() => import('./acts/provider-event-dialog.js'))

/** The provider's events after which an operator must book or decide something. */
export default function ProviderEventsPage() {
  const list = usePages(adminRoutes.listEventsForOperators, { query: {} })
  const total = useCall(adminRoutes.countEventsForOperators, {}).data?.count
  const [opened, open] = useState<EventForOperator | null>(null)
  const shown = list.items ?? []
  const alike = shown.filter(event => opened && isAlike(event, opened)).slice(0, MAX_PROVIDER_EVENTS_MARKED)
  return (
    <ConsolePage
      page={pages.adminProviderEvents}
      lead="What needs an entry by hand or a decision, the oldest first. The runbook of each says what to do."
    >
      {/* The two are read one after the other, so a new event can be among the shown ones alone. */}
      {shown.length > 0 && total !== undefined && (
        <p role="status" className="figures mb-3 text-sm text-ink-soft">
          {shown.length} of {Math.max(total, shown.length)} shown
        </p>
      )}
      <PagedList
        caption="Events of the provider that need an operator"
        list={list}
        loading="Loading events"
        errorTitle="The events could not be loaded"
        moreErrorTitle="More events could not be loaded"
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
      <ProviderEventDialog open={opened !== null} close={() => open(null)} event={opened} alike={alike} />
    </ConsolePage>
  )
}

/** Whether two events have one type. Of what does not fit, that is the type of the provider's event. */
const isAlike = (a: EventForOperator, b: EventForOperator): boolean =>
  a.why === b.why && (a.why !== 'unfitting' || a.about === b.about)
