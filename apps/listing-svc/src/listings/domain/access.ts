import { DomainError } from '@holdfast/kernel/errors'
import { type ListingState, partiesOf } from './listing.js'

type Concerned = Pick<ListingState, 'isPrivate' | 'sellerId' | 'counterpartyId' | 'createdBy'>

/** Whether somebody may see a listing: a private one is for its seller and the buyer it was made for alone. */
export function mayRead(listing: Concerned, viewerId: string | null): boolean {
  if (!listing.isPrivate) return true
  return viewerId !== null && (viewerId === listing.sellerId || viewerId === partiesOf(listing)?.buyerId)
}

/**
 * The listing, when it exists and the viewer may see it; to everybody else it does not exist.
 *
 * @throws DomainError LISTING_NOT_FOUND
 */
export function readable<L extends Concerned>(listing: L | null, viewerId: string | null): L {
  if (!listing || !mayRead(listing, viewerId)) throw new DomainError('LISTING_NOT_FOUND')
  return listing
}

/**
 * The listing, when the person owns it and no deal holds it.
 *
 * @throws DomainError LISTING_NOT_FOUND, FORBIDDEN, or LISTING_IN_DEAL while it is reserved and once it is sold
 */
export function changeable<L extends Concerned & Pick<ListingState, 'status'>>(listing: L | null, userId: string): L {
  const found = readable(listing, userId)
  if (found.sellerId !== userId) throw new DomainError('FORBIDDEN')
  if (found.status === 'reserved' || found.status === 'sold') {
    throw new DomainError('LISTING_IN_DEAL', { status: found.status })
  }
  return found
}
