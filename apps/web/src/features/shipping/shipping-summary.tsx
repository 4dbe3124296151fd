import type { Transaction } from '@holdfast/contracts/transactions'
import { displayAmount } from '@holdfast/kernel/money'
import { Facts } from '../../components/facts.js'
import { fullName } from '../../lib/current-user.js'
import { titleOf } from '../deal/shared/deal.js'

/** What is shipped, for how much, where the deal stands, and to whom. */
export function ShippingSummary({ transaction }: { transaction: Transaction }) {
  const { amount, currency, status, buyer } = transaction
  return (
    <section aria-labelledby="shipping-summary">
      <h2 id="shipping-summary" className="mb-3 font-semibold">
        Transaction Summary
      </h2>
      <Facts
        facts={[
          { label: 'Item', value: titleOf(transaction) },
          {
            label: 'Amount',
            value: (
              <span className="figures">
                {displayAmount(amount, currency)} {currency}
              </span>
            ),
          },
          { label: 'Status', value: status.toUpperCase().replaceAll('_', ' ') },
          { label: 'Buyer', value: fullName(buyer) },
          ...(buyer.email
            ? [{ label: 'Email', value: <span className="[overflow-wrap:anywhere]">{buyer.email}</span> }]
            : []),
        ]}
      />
    </section>
  )
}
