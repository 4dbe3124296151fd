import { ButtonLink } from '../../components/button.js'
import { EmptyState } from '../../components/empty-state.js'
import { paths } from '../../lib/paths.js'
import { RoleDeals } from './role-deals.js'

/** The viewer's purchases. */
export default function BuyingTab() {
  return (
    <section aria-labelledby="purchases">
      <h2 id="purchases" className="mb-3 text-lg font-semibold">
        Your Purchases
      </h2>
      <RoleDeals
        side="buyer"
        empty={
          <EmptyState
            level={3}
            title="No Purchases Yet"
            action={<ButtonLink to={paths.browse}>Browse Items</ButtonLink>}
          >
            Whatever you buy, your money is held until you have the item and accept it.
          </EmptyState>
        }
      />
    </section>
  )
}
