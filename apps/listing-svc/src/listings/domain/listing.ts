import type { Category, Condition, ListingStatus, ReturnPolicy } from '@holdfast/kernel/listings'
import type { Currency } from '@holdfast/kernel/money'

/** A listing as it is kept. Every write raises `version`. */
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
  /** Whom the one who created it chose as the other side; may be the seller. Such a listing is private for good. */
  readonly counterpartyId: string | null
  readonly createdBy: string
  readonly inspectionDays: number
  readonly returnPolicy: ReturnPolicy
  readonly imageHashes: readonly string[]
  /** The owner took it back: a deal that comes to nothing does not put it on sale again. */
  readonly withdrawn: boolean
  /** The newest deal on it, live or over. */
  readonly transactionId: number | null
}

/** The two people a listing made for a counterparty concerns; null for one that anybody may buy. */
export function partiesOf(
  listing: Pick<ListingState, 'sellerId' | 'counterpartyId' | 'createdBy'>,
): { readonly buyerId: string; readonly sellerId: string } | null {
  const { sellerId, counterpartyId, createdBy } = listing
  if (counterpartyId === null) return null
  return { sellerId, buyerId: sellerId === createdBy ? counterpartyId : createdBy }
}
