import type { PartyRole } from '@holdfast/kernel/deals'
import type { ReactNode } from 'react'
import { ShowMore } from '../../components/show-more.js'
import { Loading } from '../../components/skeleton.js'
import { PAST_STATUSES, useDealPages } from '../deal/shared/deal-pages.js'
import { useTurns } from '../disputes/shared/use-turns.js'
import { byAttention, RUNNING } from './dashboard.view.js'
import { DealRowSkeleton, DealRows } from './deal-row.js'

interface RoleDealsProps {
  side: PartyRole
  /** In place of the list when there is no deal at all. */
  empty: ReactNode
}

/** The viewer's sales or purchases: every running one, in the order in which they need attention, then the past ones. */
export function RoleDeals({ side, empty }: RoleDealsProps) {
  const running = useDealPages(RUNNING[side])
  const isRunningComplete = running.items !== undefined && !running.hasMore
  const past = useDealPages(isRunningComplete ? { role: side, status: PAST_STATUSES } : null)
  const turns = useTurns(running.items ?? [])
  const deals = [...byAttention(running.items ?? [], turns), ...(past.items ?? [])]
  const isComplete = isRunningComplete && past.items !== undefined
  if (isComplete && deals.length === 0) return empty
  return (
    <div className="grid gap-6">
      {deals.length > 0 && <DealRows deals={deals} turns={turns} />}
      {isRunningComplete && !past.items && !past.error && (
        <Loading label="Loading transactions">
          <DealRowSkeleton />
        </Loading>
      )}
      <ShowMore of={isRunningComplete ? past : running} errorTitle="More transactions could not be loaded" />
    </div>
  )
}
