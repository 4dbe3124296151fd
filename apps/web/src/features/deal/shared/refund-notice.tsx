import type { Transaction } from '@holdfast/contracts/transactions'
import { lazy, Suspense } from 'react'
import { Skeleton } from '../../../components/skeleton.js'

// Few deals have a refund.
const RefundProgress = lazy(() => import('./refund-progress.js'))
const ForcedRefund = lazy(() => import('./forced-refund.js'))

/** What became of the refund of a deal, and why Holdfast made it if it did; nothing where there is none. */
export function RefundNotice({ deal }: { deal: Transaction }) {
  if (deal.refund === null) return null
  return (
    <Suspense fallback={<Skeleton className="h-20 w-full" />}>
      <ForcedRefund deal={deal} />
      <RefundProgress deal={deal} />
    </Suspense>
  )
}
