import type { Transaction } from '@holdfast/contracts/transactions'
import { ButtonLink } from '../../components/button.js'
import { EmptyState } from '../../components/empty-state.js'
import { paths } from '../../lib/paths.js'
import { byAttention, ofRole } from './dashboard.view.js'
import { DealRows } from './deal-row.js'

/** One's purchases. */
export function BuyingTab({ deals }: { deals: readonly Transaction[] }) {
  const purchases = byAttention(ofRole(deals, 'buyer'))
  return (
    <section aria-labelledby="purchases">
      <h2 id="purchases" className="mb-3 text-lg font-semibold">
        Your Purchases
      </h2>
      {purchases.length > 0 ? (
        <DealRows deals={purchases} />
      ) : (
        <EmptyState level={3} title="No Purchases Yet" action={<ButtonLink to={paths.browse}>Browse Items</ButtonLink>}>
          Whatever you buy, your money is held until you have the item and accept it.
        </EmptyState>
      )}
    </section>
  )
}
