import type { Listing } from '@holdfast/contracts/listings'
import { isActive } from '@holdfast/kernel/deals'
import { Check } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { ButtonLink } from '../../components/button.js'
import { Money } from '../../components/money.js'
import { Notice } from '../../components/notice.js'
import { Panel } from '../../components/panel.js'
import { Skeleton } from '../../components/skeleton.js'
import { type Session, useSession } from '../../lib/current-user.js'
import { paths } from '../../lib/paths.js'
import { MethodFees } from '../payment/shared/method-fees.js'
import { Person } from '../profile/shared/person.js'
import { BuyButton } from './buy-button.js'
import { useMyDeal } from './use-my-deal.js'

// Only the owner of the listing needs this code, with its forms and dialogs.
const OwnerActions = lazy(() => import('./owner-actions.js'))

/** What it costs, who sells it, how the money is kept, and the one thing to do here. */
export function PurchasePanel({ listing }: { listing: Listing }) {
  return (
    <Panel>
      <p className="text-2xl font-semibold">
        <Money amount={listing.price} currency={listing.currency} />
      </p>
      <p className="mt-1 text-sm text-ink-soft">
        {listing.escrowDays > 0
          ? `${listing.escrowDays} days of escrow protection after delivery`
          : 'Sold as-is: 0 days of escrow protection after you confirm delivery'}
      </p>
      <div className="mt-5">
        <PurchaseAction listing={listing} />
      </div>
      <div className="mt-6 border-t border-rule pt-5">
        <h2 className="mb-3 text-sm font-semibold">Seller</h2>
        <Person user={listing.seller} verifiedLabel="Verified Seller" linked />
      </div>
      <div className="mt-6 border-t border-rule pt-5">
        <h2 className="mb-3 text-sm font-semibold">Security</h2>
        <ul className="grid gap-2 text-sm text-ink-soft">
          {securityFeatures(listing).map(feature => (
            <li key={feature} className="flex gap-2">
              <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-ink-soft" />
              {feature}
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  )
}

function PurchaseAction({ listing }: { listing: Listing }) {
  const { user } = useSession()
  if (user?.id === listing.sellerId)
    return (
      <Suspense fallback={<Skeleton className="h-28 w-full rounded-md" />}>
        <OwnerActions listing={listing} owner={user} />
      </Suspense>
    )
  if (listing.status !== 'active') return <NotForSale listing={listing} user={user} />
  return (
    <div className="grid gap-4">
      <MethodFees price={listing.price} currency={listing.currency} plan={user?.plan ?? 'standard'} />
      {user ? (
        <BuyButton listing={listing} user={user} />
      ) : (
        <ButtonLink to={paths.authThen(paths.listing(listing.id))} size="lg" className="w-full">
          Sign In to Purchase
        </ButtonLink>
      )}
    </div>
  )
}

/** Why it cannot be bought; to the one who has it already, the way to their transaction. */
function NotForSale({ listing, user }: { listing: Listing; user: Session['user'] }) {
  const mine = useMyDeal(listing, user, 'buyer')
  if (mine) {
    return (
      <Notice
        title={isActive(mine.status) ? 'You are buying this item' : 'You bought this item'}
        action={
          <ButtonLink to={paths.transaction(mine.id)} size="sm">
            View Transaction
          </ButtonLink>
        }
      />
    )
  }
  return (
    <Notice title="This item cannot be bought at present">
      {/* Only when it is known that the viewer is not the buyer: the answer may still be loading. */}
      {mine === null &&
        (listing.status === 'reserved' ? 'Another buyer has an open transaction for it.' : 'It is no longer for sale.')}
    </Notice>
  )
}

const securityFeatures = ({ escrowDays }: Listing) => [
  'Your payment is held until you have the item and accept it',
  escrowDays > 0
    ? `${escrowDays} days to inspect it after delivery`
    : 'Delivery by the carrier’s word alone still leaves you 48 hours to say that nothing came',
  'Nothing shipped in 7 days: everything goes back to you',
  'A dispute keeps the money held, and a mediator decides',
]
