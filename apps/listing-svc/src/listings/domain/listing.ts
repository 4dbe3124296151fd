import type { Category, Condition, ListingStatus, ReturnPolicy } from '@holdfast/kernel/listings'
import type { Currency } from '@holdfast/kernel/money'

/** A stored listing. Every write raises `version`. */
export interface ListingState {
  readonly id: number
  readonly version: number
  readonly title: string
  readonly description: string
  readonly priceMinor: bigint
  readonly currency: Currency
  readonly category: Category
  readonly condition: Condition
  readonly location: string | null
  readonly status: ListingStatus
  readonly isPrivate: boolean
  readonly sellerId: string
  /** The other party, whom the creator chose and who may be the seller. A listing with a counterparty stays private. */
  readonly counterpartyId: string | null
  readonly createdBy: string
  readonly inspectionDays: number
  readonly returnPolicy: ReturnPolicy
  readonly imageHashes: readonly string[]
  /** The owner took it off sale, so a cancelled deal does not put it on sale again. */
  readonly withdrawn: boolean
  /** The newest deal on its item, which may have ended. */
  readonly transactionId: number | null
  /** The listing that was made from this one when its item was listed again. This one is never put on sale then. */
  readonly relistedAs: number | null
  /** The first listing of the same item; null when it is this one. */
  readonly itemId: number | null
  /** Whether its seller has ever signed for it. Its maker signed it first, who may be the buyer. */
  readonly signedBySeller: boolean
  /** Who accepted an invitation to a private one. They may see it and buy it, but not change it. */
  readonly invitedIds?: readonly string[] | null
}

/** Buyer and seller of a listing made for a counterparty; null for a listing that any user may buy. */
export function partiesOf(
  listing: Pick<ListingState, 'sellerId' | 'counterpartyId' | 'createdBy'>,
): { readonly buyerId: string; readonly sellerId: string } | null {
  const { sellerId, counterpartyId, createdBy } = listing
  if (counterpartyId === null) return null
  return { sellerId, buyerId: sellerId === createdBy ? counterpartyId : createdBy }
}
