import type { Transaction } from '@holdfast/contracts/transactions'
import { inspectionTerm, RETURN_POLICY_LABELS } from '@holdfast/kernel/listings'
import { Facts } from '../../components/facts.js'

/** The terms that decide what a buyer may send back, and until when. */
export function TermFacts({ listing }: Pick<Transaction, 'listing'>) {
  return (
    <Facts
      facts={[
        { label: 'Condition', value: listing.condition },
        { label: 'Inspection', value: inspectionTerm(listing.inspectionPeriod) },
        { label: 'Returns', value: RETURN_POLICY_LABELS[listing.returnPolicy] },
      ]}
    />
  )
}
