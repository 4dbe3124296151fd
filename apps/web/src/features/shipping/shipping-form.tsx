import type { Transaction } from '@holdfast/contracts/transactions'
import { lazy, Suspense } from 'react'
import { Facts } from '../../components/facts.js'
import { Panel } from '../../components/panel.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { TrackingNumber } from './shared/tracking-number.js'

// Only a seller who can save a number needs the form's code.
const EditableShipping = lazy(() => import('./editable-shipping.js'))

/** Where the seller says how the item travels. The buyer, and a deal that takes no tracking, only reads it. */
export function ShippingForm({ transaction }: { transaction: Transaction }) {
  return (
    <Panel>
      <h2 className="display mb-4 text-xl">Shipping Information</h2>
      {transaction.actions.includes('save_tracking') ? (
        <Suspense fallback={<FormSkeleton />}>
          <EditableShipping key={transaction.id} transaction={transaction} />
        </Suspense>
      ) : (
        <ReadOnlyShipping transaction={transaction} />
      )}
    </Panel>
  )
}

function FormSkeleton() {
  return (
    <Loading label="Loading the form">
      <div className="grid gap-5 sm:grid-cols-2">
        <Skeleton className="h-18 w-full" />
        <Skeleton className="h-18 w-full" />
      </div>
      <Skeleton className="mt-5 h-11 w-44" />
    </Loading>
  )
}

function ReadOnlyShipping({ transaction }: { transaction: Transaction }) {
  const { trackingNumber, carrier, viewerRole, seller } = transaction
  if (trackingNumber) {
    return (
      <Facts
        facts={[
          { label: 'Tracking Number', value: <TrackingNumber number={trackingNumber} /> },
          { label: 'Carrier', value: carrier ?? 'Not specified' },
        ]}
      />
    )
  }
  return <p className="text-ink-soft">{nothingShipped(transaction.status, viewerRole, seller.firstName)}</p>
}

function nothingShipped(status: Transaction['status'], viewerRole: Transaction['viewerRole'], seller: string): string {
  const isSeller = viewerRole === 'seller'
  switch (status) {
    case 'pending':
    case 'secured':
      return isSeller
        ? 'Do not ship yet: the payment has not arrived. You can enter tracking once the money is held.'
        : 'The item is shipped once your payment is held.'
    case 'paid':
      return `${seller} has not shipped yet. A tracking number shows here when it is entered.`
    case 'in_progress':
      return `${seller} hands the item over in person, so there is no tracking number.`
    default:
      return 'No tracking number was entered for this transaction.'
  }
}
