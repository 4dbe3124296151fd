import { DomainError } from '@holdfast/kernel/errors'
import { type ListingState, partiesOf } from './listing.js'

/** The fields of a listing that decide who may see it. */
export type Concerned = Pick<ListingState, 'isPrivate' | 'sellerId' | 'counterpartyId' | 'createdBy' | 'invitedIds'>

/** Whether a viewer may see a listing. Only the seller, the chosen counterparty and invited people may see a private one. */
export function mayRead(listing: Concerned, viewerId: string | null): boolean {
  if (!listing.isPrivate) return true
  if (viewerId === null) return false
  const { sellerId, invitedIds } = listing
  return [sellerId, partiesOf(listing)?.buyerId, ...(invitedIds ?? [])].includes(viewerId)
}

/**
 * The listing, when it exists and the viewer may see it. In both other cases the refusal is the same.
 *
 * @throws DomainError LISTING_NOT_FOUND
 */
export function readable<L extends Concerned>(listing: L | null, viewerId: string | null): L {
  if (!listing || !mayRead(listing, viewerId)) throw new DomainError('LISTING_NOT_FOUND')
  return listing
}

/**
 * The listing, when the user is its seller.
 *
 * @throws DomainError LISTING_NOT_FOUND, FORBIDDEN
 */
export function owned<L extends Concerned>(listing: L | null, userId: string): L {
  const found = readable(listing, userId)
  if (found.sellerId !== userId) throw new DomainError('FORBIDDEN')
  return found
}

/**
 * The listing, when the user owns it and it is neither reserved nor sold.
 *
 * @throws DomainError LISTING_NOT_FOUND, FORBIDDEN, or LISTING_IN_DEAL when it is reserved or sold
 */
export function changeable<L extends Concerned & Pick<ListingState, 'status'>>(listing: L | null, userId: string): L {
  const found = owned(listing, userId)
  if (found.status === 'reserved' || found.status === 'sold') {
    throw new DomainError('LISTING_IN_DEAL', { status: found.status })
  }
  return found
}
