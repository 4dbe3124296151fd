import type { PartyRole } from '@holdfast/kernel/deals'
import type { ReactNode } from 'react'
import { Button } from '../../components/button.js'
import { EmptyState } from '../../components/empty-state.js'
import { ShowMore } from '../../components/show-more.js'
import { Loading } from '../../components/skeleton.js'
import { type DealsQuery, PAST_STATUSES, useDealPages } from '../deal/shared/deal-pages.js'
import { useTurns } from '../disputes/shared/use-turns.js'
import { byAttention, RUNNING } from './dashboard.view.js'
import { DealFilter, useDealFilter } from './deal-filter.js'
import { DealRowSkeleton, DealRows } from './deal-row.js'

const MORE_FAILED = 'More transactions could not be loaded'

interface RoleDealsProps {
  side: PartyRole
  /** In place of the list when there is no deal at all. */
  empty: ReactNode
}

/** The viewer's sales or purchases, and what narrows them. */
export function RoleDeals({ side, empty }: RoleDealsProps) {
  const filter = useDealFilter()
  const all = useAllDeals(side)
  if (!filter.query && filter.typed === '' && all.isEmpty) return empty
  return (
    <div className="grid gap-6">
      <DealFilter filter={filter} />
      {filter.query ? <FoundDeals query={{ ...filter.query, role: side }} onClear={filter.clear} /> : all.content}
    </div>
  )
}

/** Every running deal, in the order in which they need attention, then the past ones. */
function useAllDeals(side: PartyRole): { readonly isEmpty: boolean; readonly content: ReactNode } {
  const running = useDealPages(RUNNING[side])
  const isRunningComplete = running.items !== undefined && !running.hasMore
  const past = useDealPages(isRunningComplete ? { role: side, status: PAST_STATUSES } : null)
  const turns = useTurns(running.items ?? [])
  const deals = [...byAttention(running.items ?? [], turns), ...(past.items ?? [])]
  return {
    isEmpty: isRunningComplete && past.items !== undefined && deals.length === 0,
    content: (
      <>
        {deals.length > 0 && <DealRows deals={deals} turns={turns} />}
        {isRunningComplete && !past.items && !past.error && <LoadingDeals />}
        <ShowMore of={isRunningComplete ? past : running} errorTitle={MORE_FAILED} />
      </>
    ),
  }
}

/** The deals that a search or a status finds, newest first. */
function FoundDeals({ query, onClear }: { query: DealsQuery; onClear: () => void }) {
  const found = useDealPages(query)
  const deals = found.items
  const turns = useTurns(deals ?? [])
  return (
    <>
      <p role="status" className="text-sm text-ink-soft empty:hidden">
        {deals && deals.length > 0 && countOf(deals.length, found.hasMore)}
      </p>
      {deals && deals.length > 0 && <DealRows deals={deals} turns={turns} />}
      {deals?.length === 0 && (
        <EmptyState
          level={3}
          title="Nothing matches this search"
          action={
            <Button kind="quiet" onClick={onClear}>
              Clear Search and Status
            </Button>
          }
        >
          Try the beginning of a word of the item’s title or of the other person’s name, the whole transaction number,
          or another status.
        </EmptyState>
      )}
      {!deals && !found.error && <LoadingDeals />}
      <ShowMore of={found} errorTitle={deals ? MORE_FAILED : 'The transactions could not be loaded'} />
    </>
  )
}

const countOf = (count: number, hasMore: boolean) =>
  hasMore ? `The newest ${count} that match` : count === 1 ? '1 transaction matches' : `${count} transactions match`

const LoadingDeals = () => (
  <Loading label="Loading transactions">
    <DealRowSkeleton />
  </Loading>
)
