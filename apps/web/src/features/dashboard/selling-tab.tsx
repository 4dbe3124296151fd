import type { Transaction } from '@holdfast/contracts/transactions'
import { ButtonLink } from '../../components/button.js'
import { EmptyState } from '../../components/empty-state.js'
import { paths } from '../../lib/paths.js'
import { byAttention, ofRole } from './dashboard.view.js'
import { DealRows } from './deal-row.js'
import { UnsoldListings } from './unsold-listings.js'

interface SellingTabProps {
  deals: readonly Transaction[]
  sellerId: string
}

/** One's sales, and one's own listings that nobody has bought yet. */
export function SellingTab({ deals, sellerId }: SellingTabProps) {
  const sales = byAttention(ofRole(deals, 'seller'))
  return (
    <div className="grid gap-10">
      <section aria-labelledby="sales">
        <h2 id="sales" className="mb-3 text-lg font-semibold">
          Your Sales
        </h2>
        {sales.length > 0 ? (
          <DealRows deals={sales} />
        ) : (
          <EmptyState
            level={3}
            title="No Sales Yet"
            action={<ButtonLink to={paths.createListing}>List an Item</ButtonLink>}
          >
            When somebody buys what you offer, you see here when to ship and when you are paid.
          </EmptyState>
        )}
      </section>
      <UnsoldListings sellerId={sellerId} />
    </div>
  )
}
