import type { Transaction } from '@holdfast/contracts/transactions'
import { Facts } from '../../components/facts.js'
import { Money } from '../../components/money.js'
import { formatDate } from '../../lib/time.js'
import { summaryOf } from './summary.view.js'

/** The amounts of a deal as the viewer's side sees them, its number and its date. */
export function SummarySection({ deal }: { deal: Transaction }) {
  const { id, currency, createdAt } = deal
  return (
    <section aria-labelledby="summary">
      <h2 id="summary" className="mb-3 font-semibold">
        Summary
      </h2>
      <Facts
        facts={[
          ...summaryOf(deal).map(({ label, amount }) => ({
            label,
            value: <Money amount={amount} currency={currency} />,
          })),
          { label: 'Created', value: createdAt ? formatDate(new Date(createdAt)) : 'N/A' },
          { label: 'Transaction', value: <span className="figures">#{id}</span> },
        ]}
      />
    </section>
  )
}
