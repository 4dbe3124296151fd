import type { Transaction } from '@holdfast/contracts/transactions'
import { isClosedUsername } from '@holdfast/kernel/closed-username'
import { lazy, Suspense } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Skeleton } from '../../components/skeleton.js'
import { Person } from '../profile/shared/person.js'
import { otherParty } from './shared/deal.js'

// Few people block another one. When its code does not come, the page goes on without it.
const BlockPerson = lazy(() => import('../profile/shared/block-person.js'))

/** The two people of a deal. The other one can be blocked, unless their account is closed. */
export function PartiesSection({ deal }: { deal: Transaction }) {
  const { viewerRole, buyer, seller } = deal
  const other = otherParty(deal).user
  return (
    <section aria-labelledby="parties">
      <h2 id="parties" className="mb-3 font-semibold">
        Parties
      </h2>
      <div className="divide-y divide-rule border-y border-rule">
        <Party label={viewerRole === 'seller' ? 'Seller (you)' : 'Seller'} user={seller} />
        <Party label={viewerRole === 'buyer' ? 'Buyer (you)' : 'Buyer'} user={buyer} />
      </div>
      {!isClosedUsername(other.username) && (
        <div className="mt-3">
          <ErrorBoundary fallback={null} onError={error => console.error(error)}>
            <Suspense fallback={<Skeleton className="h-11 w-32" />}>
              <BlockPerson person={other} />
            </Suspense>
          </ErrorBoundary>
        </div>
      )}
    </section>
  )
}

function Party({ label, user }: { label: string; user: Transaction['buyer'] }) {
  return (
    <div className="py-3">
      <p className="mb-1.5 text-sm text-ink-soft">{label}</p>
      <Person user={user} linked />
    </div>
  )
}
