import { type Concerned, mayRead } from '../../listings/domain/access.js'

/** A listing that has or had a picture. */
export interface PictureUse {
  readonly listing: Concerned
  /** Whether the listing has the picture now. Otherwise its owner removed it. */
  readonly isShown: boolean
  /** A user who opened a deal on the listing. A listing with several such users is several uses. */
  readonly buyerId: string | null
}

/** Who may see a picture besides the viewer: everyone, or not everyone. */
export type Visibility = 'public' | 'private'

/**
 * Decides whether a viewer may see a picture. It is seen by those who may see a listing that has it. The seller and the
 * buyers of a listing also see a picture that was removed or whose listing became private, because their deals show it.
 *
 * @param viewerId the user; null for a visitor
 * @returns `public` when everyone may see it, `private` when the viewer may, null when the viewer may not
 */
export function visibilityFor(uses: readonly PictureUse[], viewerId: string | null): Visibility | null {
  const isSeenBy = (viewer: string | null) =>
    uses.some(({ listing, isShown }) => isShown && mayRead(listing, viewer)) ||
    (viewer !== null && uses.some(({ listing, buyerId }) => viewer === listing.sellerId || viewer === buyerId))
  if (isSeenBy(null)) return 'public'
  return isSeenBy(viewerId) ? 'private' : null
}
