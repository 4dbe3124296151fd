import { ButtonLink } from '../../components/button.js'
import { EmptyState } from '../../components/empty-state.js'
import { LoadError } from '../../components/load-error.js'
import { ShowMore } from '../../components/show-more.js'
import { Loading } from '../../components/skeleton.js'
import { paths } from '../../lib/paths.js'
import { PAST_STATUSES, useDealPages } from '../deal/shared/deal-pages.js'
import { useTurns } from '../disputes/shared/use-turns.js'
import { byAttention, latest, RUNNING } from './dashboard.view.js'
import { DealRowSkeleton, DealRows } from './deal-row.js'
import { StatCards } from './stat-cards.js'

/** The four figures, what runs now, and the latest deals that are over, refunded ones included. */
export function OverviewTab() {
  const running = useDealPages(RUNNING.both)
  const turns = useTurns(running.items ?? [])
  return (
    <div className="grid gap-10">
      <StatCards />
      {running.items && running.items.length > 0 && (
        <section aria-labelledby="running" className="grid gap-6">
          <div>
            <h2 id="running" className="mb-3 text-lg font-semibold">
              Active Transactions
            </h2>
            <DealRows deals={byAttention(running.items, turns)} turns={turns} />
          </div>
          <ShowMore of={running} errorTitle="More transactions could not be loaded" />
        </section>
      )}
      <section aria-labelledby="previous">
        <h2 id="previous" className="mb-3 text-lg font-semibold">
          Previous Transactions
        </h2>
        <Previous />
      </section>
    </div>
  )
}

function Previous() {
  const { items, error, retry } = useDealPages({ status: PAST_STATUSES })
  if (!items) {
    if (error) return <LoadError title="Previous transactions could not be loaded" error={error} retry={retry} />
    return (
      <Loading label="Loading transactions">
        <DealRowSkeleton />
      </Loading>
    )
  }
  if (items.length > 0) return <DealRows deals={latest(items)} />
  return (
    <EmptyState
      level={3}
      title="No Completed Transactions"
      action={
        <ButtonLink to={paths.browse} kind="quiet">
          Browse Items
        </ButtonLink>
      }
    >
      When a buyer has accepted an item and its money went to the seller, it shows here.
    </EmptyState>
  )
}
