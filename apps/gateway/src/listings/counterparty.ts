import type { CreateListing } from '@holdfast/contracts/listings'
import { invalidFields } from '@holdfast/kernel/errors'

/**
 * The user whom the maker of a listing chose for the deal; null when every user may buy it. The create-listing screen sends
 * their id as `selectedUserId`, and again as the id of the other party (spec section 4).
 *
 * @throws DomainError VALIDATION_FAILED when they are the maker
 */
export function counterpartyIdOf(
  {
    userRole,
    selectedUserId,
    buyerId,
    sellerId,
  }: Pick<CreateListing, 'userRole' | 'selectedUserId' | 'buyerId' | 'sellerId'>,
  makerId: string,
): string | null {
  const chosen = selectedUserId ?? (userRole === 'seller' ? buyerId : sellerId) ?? null
  if (chosen === makerId)
    throw invalidFields({ selectedUserId: 'Choose another user: you cannot make a deal with yourself.' })
  return chosen
}
