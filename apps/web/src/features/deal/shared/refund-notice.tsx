import type { Transaction } from '@holdfast/contracts/transactions'
import { lazy, Suspense } from 'react'
import { Skeleton } from '../../../components/skeleton.js'

// Few deals have a refund.
const RefundProgress = lazy(async () => ({ default: (await import('./refund-progress.js')).RefundProgress }))

/** What became of the refund of a deal; nothing where there is none. */
export function RefundNotice({ deal }: { deal: Transaction }) {
  if (deal.refund === null) return null
  return (
    <Suspense fallback={<Skeleton className="h-20 w-full" />}>
      <RefundProgress deal={deal} />
    </Suspense>
  )
}
