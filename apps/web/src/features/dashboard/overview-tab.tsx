import type { Transaction } from '@holdfast/contracts/transactions'
import { ButtonLink } from '../../components/button.js'
import { EmptyState } from '../../components/empty-state.js'
import { paths } from '../../lib/paths.js'
import { active, byAttention, previous } from './dashboard.view.js'
import { DealRows } from './deal-row.js'
import { StatCards } from './stat-cards.js'

/** The four figures, what runs now, and the latest completed deals. */
export function OverviewTab({ deals }: { deals: readonly Transaction[] }) {
  const running = byAttention(active(deals))
  const done = previous(deals)
  return (
    <div className="grid gap-10">
      <StatCards />
      {running.length > 0 && (
        <section aria-labelledby="running">
          <h2 id="running" className="mb-3 text-lg font-semibold">
            Active Transactions
          </h2>
          <DealRows deals={running} />
        </section>
      )}
      <section aria-labelledby="previous">
        <h2 id="previous" className="mb-3 text-lg font-semibold">
          Previous Transactions
        </h2>
        {done.length > 0 ? (
          <DealRows deals={done} />
        ) : (
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
        )}
      </section>
    </div>
  )
}
