import { useState } from 'react'
import { Button, ButtonLink } from '../../components/button.js'
import { EmptyState } from '../../components/empty-state.js'
import { paths } from '../../lib/paths.js'
import { PaymentHistory } from '../receipts/shared/payment-history.js'
import { Payouts } from './payouts.js'

/** What the user earns and how it is paid out, and how they pay. */
export function PaymentsTab() {
  return (
    <div className="grid gap-12">
      <Payouts />
      <section>
        <h2 className="display mb-4 text-xl">Payment methods</h2>
        <PaymentMethods />
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

function PaymentMethods() {
  const [isAsked, setAsked] = useState(false)
  return (
    <EmptyState
      title="No payment methods"
      level={3}
      action={
        <Button kind="quiet" onClick={() => setAsked(true)}>
          Add Payment Method
        </Button>
      }
    >
      <p>You give your card each time you pay for something.</p>
      <p role="status" className="mt-2 font-medium text-ink empty:hidden">
        {isAsked && 'Cards cannot be saved yet. Nothing was added.'}
      </p>
    </EmptyState>
  )
}
