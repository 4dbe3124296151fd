import type { PartyRole } from '@holdfast/kernel/deals'
import { DomainError, invalidFields } from '@holdfast/kernel/errors'

export interface Offer {
  readonly sellerId: string
  readonly counterpartyId: string | null
  readonly isPrivate: boolean
  readonly signedAs: PartyRole
}

/**
 * Decides who sells a new listing. A user who creates it as the buyer describes an item of the chosen counterparty, who
 * is then the seller. A listing with a counterparty is private, whatever `isPrivate` asks.
 *
 * @throws DomainError COUNTERPARTY_REQUIRED for a buyer without a counterparty, VALIDATION_FAILED when creator and counterparty
 * are the same
 */
export function decideOffer(
  asked: { readonly userRole: PartyRole; readonly isPrivate: boolean },
  creatorId: string,
  counterpartyId: string | null,
): Offer {
  if (asked.userRole === 'buyer' && counterpartyId === null) throw new DomainError('COUNTERPARTY_REQUIRED')
  if (counterpartyId === creatorId) throw invalidFields({ selectedUserId: 'Choose another user' })
  return {
    sellerId: asked.userRole === 'buyer' && counterpartyId !== null ? counterpartyId : creatorId,
    counterpartyId,
    isPrivate: asked.isPrivate || counterpartyId !== null,
    signedAs: asked.userRole,
  }
}
