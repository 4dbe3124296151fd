import { pages } from '@holdfast/contracts/pages'
import type { Transaction } from '@holdfast/contracts/transactions'
import { Spinner } from '../../components/spinner.js'
import { DealGate } from '../deal/shared/deal-gate.js'
import { NotPayable } from './not-payable.js'
import { PaymentPanel } from './payment-panel.js'

const NOT_FOUND = {
  title: 'Transaction not found',
  text: "The transaction you're looking for doesn't exist.",
}

export default function SendFundsPage() {
  return (
    <DealGate
      page={pages.sendFunds}
      errorTitle="Error loading transaction"
      notFound={NOT_FOUND}
      loading={<LoadingDeal />}
    >
      {deal => <SendFunds key={deal.id} deal={deal} />}
    </DealGate>
  )
}

/** The payment form is only for the buyer of a deal that is not paid. For everybody else the page says why there is none. */
function SendFunds({ deal }: { deal: Transaction }) {
  return deal.actions.includes('pay') ? <PaymentPanel deal={deal} /> : <NotPayable deal={deal} />
}

function LoadingDeal() {
  return (
    <p role="status" className="flex items-center gap-3 py-16 text-ink-soft">
      <Spinner className="size-5" />
      Loading...
    </p>
  )
}
