import { ButtonLink } from '../../components/button.js'
import { EmptyState } from '../../components/empty-state.js'
import { paths } from '../../lib/paths.js'
import { Payouts } from './payouts.js'
import { PlanSection } from './plan-section.js'
import { SavedCards } from './saved-cards.js'

/** What the user earns and how it is paid out, and how they pay. */
export function PaymentsTab() {
  return (
    <div className="grid gap-12">
      <Payouts />
      <PlanSection />
      <section>
        <h2 className="display mb-4 text-xl">Payment methods</h2>
        <SavedCards />
      </section>
      <section>
        <h2 className="display mb-4 text-xl">Transaction history</h2>
        <EmptyState
          title="No transaction history"
          level={3}
          action={
            <ButtonLink to={paths.dashboard} kind="quiet">
              Your Transactions
            </ButtonLink>
          }
        >
          What you pay and what is returned to you stands on the page of each transaction.
        </EmptyState>
      </section>
    </div>
  )
}
