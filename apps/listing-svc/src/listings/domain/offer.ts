import type { PartyRole } from '@holdfast/kernel/deals'
import { DomainError, invalidFields } from '@holdfast/kernel/errors'

export interface Offer {
  readonly sellerId: string
  readonly counterpartyId: string | null
  readonly isPrivate: boolean
  readonly signedAs: PartyRole
}

/**
 * Decides who sells a new listing. When the creator is the buyer, the chosen counterparty is the seller. A listing with a
 * counterparty is always private; `isPrivate` is ignored then.
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
