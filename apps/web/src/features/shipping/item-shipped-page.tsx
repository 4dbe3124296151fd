import { pages } from '@holdfast/contracts/pages'
import type { Transaction } from '@holdfast/contracts/transactions'
import { PageHeader } from '../../components/page-header.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { paths } from '../../lib/paths.js'
import { DealGate } from '../deal/shared/deal-gate.js'
import { DeliveryConfirmation } from './delivery-confirmation.js'
import { ShippingForm } from './shipping-form.js'
import { ShippingSummary } from './shipping-summary.js'
import { TrackingStatusCard } from './tracking-status-card.js'

const NOT_FOUND = {
  title: 'Transaction not found',
  text: "The transaction you're looking for doesn't exist.",
}

export default function ItemShippedPage() {
  return (
    <DealGate
      page={pages.itemShipped}
      errorTitle="Error loading transaction"
      notFound={NOT_FOUND}
      loading={<ItemShippedSkeleton />}
    >
      {transaction => <ItemShipped key={transaction.id} transaction={transaction} />}
    </DealGate>
  )
}

function ItemShipped({ transaction }: { transaction: Transaction }) {
  const { id, trackingNumber, viewerRole } = transaction
  return (
    <div className="page">
      <PageHeader
        title="Item Shipped"
        back={{ to: paths.transaction(id), label: 'Back to Transaction' }}
        lead={
          viewerRole === 'seller'
            ? 'Say how the item travels, so that both of you can follow it.'
            : 'Follow the item, and say when it has arrived.'
        }
      />
      <div className="grid grid-cols-1 gap-10 lg:grid-cols-[1fr_22rem] lg:gap-14">
        <div className="grid min-w-0 content-start gap-8">
          <ShippingForm transaction={transaction} />
          {trackingNumber ? (
            <TrackingStatusCard trackingNumber={trackingNumber} />
          ) : (
            <DeliveryConfirmation transaction={transaction} />
          )}
          {trackingNumber && transaction.actions.includes('confirm_delivery') && (
            <DeliveryConfirmation transaction={transaction} />
          )}
        </div>
        <aside aria-label="Transaction" className="max-lg:order-first">
          <ShippingSummary transaction={transaction} />
        </aside>
      </div>
    </div>
  )
}

function ItemShippedSkeleton() {
  return (
    <Loading label="Loading transaction" page>
      <Skeleton className="h-10 w-56" />
      <div className="mt-9 grid grid-cols-1 gap-10 lg:grid-cols-[1fr_22rem] lg:gap-14">
        <Skeleton className="h-72 w-full rounded-lg" />
        <Skeleton className="h-56 w-full rounded-lg" />
      </div>
    </Loading>
  )
}
