import type { Transaction } from '@holdfast/contracts/transactions'
import { BlockPerson } from '../profile/shared/block-person.js'
import { Person } from '../profile/shared/person.js'

/** The two people of a deal. */
export function PartiesSection({ deal: { viewerRole, buyer, seller } }: { deal: Transaction }) {
  return (
    <section aria-labelledby="parties">
      <h2 id="parties" className="mb-3 font-semibold">
        Parties
      </h2>
      <div className="divide-y divide-rule border-y border-rule">
        <Party label={viewerRole === 'seller' ? 'Seller (you)' : 'Seller'} user={seller} />
        <Party label={viewerRole === 'buyer' ? 'Buyer (you)' : 'Buyer'} user={buyer} />
      </div>
      <div className="mt-3">
        <BlockPerson person={viewerRole === 'seller' ? buyer : seller} />
      </div>
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
