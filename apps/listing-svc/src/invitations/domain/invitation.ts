import type { PartyUser } from '@holdfast/contracts/users'
import { DomainError } from '@holdfast/kernel/errors'
import type { ListingStatus } from '@holdfast/kernel/listings'

/** What decides who can use an invitation. */
export interface InvitationState {
  readonly sellerId: string
  readonly listingStatus: ListingStatus
  /** Null when whoever has the link may accept it. */
  readonly inviteeEmail: string | null
  readonly acceptedBy: string | null
  readonly isRevoked: boolean
  /** By the database's clock. */
  readonly isExpired: boolean
}

/**
 * Refuses an invitation that the viewer can no longer use. An invitation is for one person: once accepted, it is of no use to others, and
 * the one who accepted it can open it again.
 *
 * @param viewerId the user; null for a visitor
 * @throws DomainError INVITATION_ENDED
 */
export function refuseEnded(invitation: InvitationState, viewerId: string | null): void {
  const { acceptedBy, isRevoked, isExpired, listingStatus } = invitation
  if (isRevoked) throw new DomainError('INVITATION_ENDED')
  if (acceptedBy !== null && acceptedBy === viewerId) return
  if (acceptedBy !== null || isExpired || listingStatus !== 'active') throw new DomainError('INVITATION_ENDED')
}

/**
 * Refuses a user who may not accept an invitation. One that was mailed is only for the account whose confirmed address it was mailed to:
 * otherwise anybody could open an account with that address and accept.
 *
 * @throws DomainError OWN_LISTING, INVITED_OTHER_ADDRESS, EMAIL_NOT_CONFIRMED, INVITATION_ENDED
 */
export function refuseOther(invitation: InvitationState, user: PartyUser): void {
  refuseEnded(invitation, user.id)
  const { sellerId, inviteeEmail } = invitation
  if (user.id === sellerId) {
    throw new DomainError(
      'OWN_LISTING',
      undefined,
      'This is your own listing: send the link to whom you want to invite.',
    )
  }
  if (inviteeEmail === null) return
  if (inviteeEmail.toLowerCase() !== user.email.toLowerCase()) throw new DomainError('INVITED_OTHER_ADDRESS')
  if (!user.emailConfirmed) throw new DomainError('EMAIL_NOT_CONFIRMED')
}
