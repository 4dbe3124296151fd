import { ButtonLink } from '../../components/button.js'
import { EmptyState } from '../../components/empty-state.js'
import { paths } from '../../lib/paths.js'
import { RoleDeals } from './role-deals.js'
import { UnsoldListings } from './unsold-listings.js'

/** The viewer's sales, and their listings that are not sold yet. */
export default function SellingTab({ sellerId }: { sellerId: string }) {
  return (
    <div className="grid gap-10">
      <section aria-labelledby="sales">
        <h2 id="sales" className="mb-3 text-lg font-semibold">
          Your Sales
        </h2>
        <RoleDeals
          side="seller"
          empty={
            <EmptyState
              level={3}
              title="No Sales Yet"
              action={<ButtonLink to={paths.createListing}>List an Item</ButtonLink>}
            >
              When a buyer buys what you offer, you see here when to ship and when you are paid.
            </EmptyState>
          }
        />
      </section>
      <UnsoldListings sellerId={sellerId} />
    </div>
  )
}
