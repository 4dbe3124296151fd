import type { ListingStatus } from '@holdfast/kernel/listings'
import type { ListingState } from './listing.js'

/** A step of a deal that may change its listing. */
export interface DealStep {
  readonly transactionId: number
  readonly name: 'opened' | 'completed' | 'cancelled-unfunded' | 'cancelled-funded'
}

type Followed = Pick<ListingState, 'status' | 'withdrawn' | 'counterpartyId' | 'transactionId'>

/**
 * Decides the state of a listing after a step of its deal; null when it does not change.
 *
 * A listing has one deal at a time, so a later deal has a higher id. The events of one deal arrive in order, but those of
 * two deals may not. So a step of a deal that is older than the newest known one changes nothing. A step of a deal that has
 * already ended, such as a late redelivery of its opening, changes nothing either.
 */
export function afterDealStep(
  listing: Followed,
  step: DealStep,
): Pick<ListingState, 'status' | 'transactionId'> | null {
  const { transactionId } = step
  const known = listing.transactionId ?? 0
  if (transactionId < known) return null
  if (transactionId === known && (step.name === 'opened' || listing.status !== 'reserved')) return null
  return { status: statusAfter(step.name, listing), transactionId }
}

function statusAfter(name: DealStep['name'], { withdrawn, counterpartyId }: Followed): ListingStatus {
  switch (name) {
    case 'opened':
      return 'reserved'
    case 'completed':
      return 'sold'
    // The deal had been paid, so the item may have been shipped: its seller decides whether to offer it again.
    case 'cancelled-funded':
      return 'inactive'
    case 'cancelled-unfunded':
      // A listing made for a counterparty was made for this deal only. Its seller can put it on sale.
      return withdrawn || counterpartyId !== null ? 'inactive' : 'active'
  }
}
