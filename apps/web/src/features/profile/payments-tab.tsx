import { ButtonLink } from '../../components/button.js'
import { EmptyState } from '../../components/empty-state.js'
import { paths } from '../../lib/paths.js'
import { PaymentHistory } from '../receipts/shared/payment-history.js'
import { Payouts } from './payouts.js'
import { PlanSection } from './plan-section.js'
import { SavedCards } from './saved-cards.js'

/** What the user earns and how it is paid out, and how they pay. */
export default function PaymentsTab() {
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
        <PaymentHistory
          empty={
            <EmptyState
              title="No transaction history"
              level={3}
              action={
                <ButtonLink to={paths.browse} kind="quiet">
                  Browse Items
                </ButtonLink>
              }
            >
              What you pay, and what comes back to you, is listed here with a receipt of each payment.
            </EmptyState>
          }
        />
      </section>
    </div>
  )
}
