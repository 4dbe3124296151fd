import { DomainError } from '@holdfast/kernel/errors'
import { changeable } from './access.js'
import type { ListingState } from './listing.js'

/** A listing to be created. */
export type NewListing = Omit<
  ListingState,
  'id' | 'version' | 'status' | 'withdrawn' | 'relistedAs' | 'signedBySeller' | 'invitedIds'
>

/** The listing that was made before, or the one to make and what its origin becomes, apart from the new id. */
export type Relisting =
  | { readonly made: number }
  | { readonly made: null; readonly listing: NewListing; readonly origin: ListingState }

/**
 * Decides how the item of a listing that is off sale is listed again: the same item under the seller's name alone, whoever made
 * the old listing and for whom. A private one stays private, because its seller did not ask to publish it. A listing is listed
 * again once: every further request answers the listing that was made.
 *
 * @throws DomainError as `changeable` does; LISTING_ON_SALE when it is on sale
 */
export function decideRelisting(found: ListingState | null, userId: string): Relisting {
  const origin = changeable(found, userId)
  if (origin.relistedAs !== null) return { made: origin.relistedAs }
  if (origin.status === 'active') throw new DomainError('LISTING_ON_SALE')
  const { id, version: _version, status: _status, withdrawn: _withdrawn, relistedAs: _relistedAs, ...kept } = origin
  const { invitedIds: _invitedIds, signedBySeller: _signedBySeller, ...same } = kept
  return {
    made: null,
    // It keeps the newest deal on the item, so that a late event of an ended deal does not reserve it.
    listing: { ...same, counterpartyId: null, createdBy: userId, itemId: origin.itemId ?? id },
    // A late step of its deal must not put it on sale again.
    origin: { ...origin, withdrawn: true },
  }
}
