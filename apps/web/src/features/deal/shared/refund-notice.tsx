import type { Transaction } from '@holdfast/contracts/transactions'
import { lazy, Suspense } from 'react'
import { Skeleton } from '../../../components/skeleton.js'

// Few deals have a refund.
const RefundProgress = lazy(async () => ({ default: (await import('./refund-progress.js')).RefundProgress }))
const ForcedRefund = lazy(async () => ({ default: (await import('./forced-refund.js')).ForcedRefund }))

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
