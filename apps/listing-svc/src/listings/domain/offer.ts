import type { PartyRole } from '@holdfast/kernel/deals'
import { DomainError, invalidFields } from '@holdfast/kernel/errors'

export interface Offer {
  readonly sellerId: string
  readonly counterpartyId: string | null
  readonly isPrivate: boolean
  readonly signedAs: PartyRole
}

/**
 * Whose a new listing is. Somebody who comes as the buyer describes what the chosen counterparty sells: the listing is
 * the counterparty's. One made for a counterparty is private, whatever was asked.
 *
 * @throws DomainError COUNTERPARTY_REQUIRED for a buyer who chose nobody, VALIDATION_FAILED for who chose themselves
 */
export function decideOffer(
  asked: { readonly userRole: PartyRole; readonly isPrivate: boolean },
  creatorId: string,
  counterpartyId: string | null,
): Offer {
  if (asked.userRole === 'buyer' && counterpartyId === null) throw new DomainError('COUNTERPARTY_REQUIRED')
  if (counterpartyId === creatorId) throw invalidFields({ selectedUserId: 'Choose somebody else' })
  return {
    sellerId: asked.userRole === 'buyer' && counterpartyId !== null ? counterpartyId : creatorId,
    counterpartyId,
    isPrivate: asked.isPrivate || counterpartyId !== null,
    signedAs: asked.userRole,
  }
}
