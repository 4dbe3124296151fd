import type { ListingTerms, UnsignedTerms } from '@holdfast/contracts/terms'
import type { PartyRole } from '@holdfast/kernel/deals'
import { partiesOf } from './domain/listing.js'
import { concerned, LISTING_COLUMNS, type ListingRow, toListing } from './listing-row.js'

/** What was signed last for a listing, and when. */
interface SignedRow {
  readonly agreements_version: ListingTerms['agreementsVersion']
  readonly signed_as: PartyRole
  readonly received_at: Date
  readonly terms_hash: Buffer
}

/** A listing with the agreements that were signed for it. */
export interface TermsRow extends ListingRow, SignedRow {}

/** Reads the `TermsRow` of the listing `$1`. */
export const SELECT_TERMS = `SELECT ${LISTING_COLUMNS}, a.agreements_version, a.signed_as, a.received_at, a.terms_hash
  FROM listing l JOIN seller s ON s.id = l.seller_id JOIN legal_acceptance a ON a.listing_id = l.id
  WHERE l.id = $1 ORDER BY a.listing_version DESC LIMIT 1`

/** The terms of a deal on the listing, with what was signed last. */
export const toTerms = (row: TermsRow): ListingTerms => ({
  ...toUnsignedTerms(row),
  signedHash: row.terms_hash.toString('hex'),
})

/** The terms of a deal on the listing. `signedAt` is the server's time, not the date that the signer entered. */
export function toUnsignedTerms(row: Omit<TermsRow, 'terms_hash'>): UnsignedTerms {
  const listing = toListing(row)
  const parties = partiesOf(concerned(row))
  return {
    listingId: listing.id,
    ...(row.item_id !== null && { itemId: Number(row.item_id) }),
    sellerId: listing.sellerId,
    title: listing.title,
    description: listing.description,
    price: listing.price,
    currency: listing.currency,
    category: listing.category,
    condition: listing.condition,
    location: listing.location,
    images: listing.images,
    inspectionDays: listing.inspectionPeriod,
    returnPolicy: listing.returnPolicy,
    status: listing.status,
    agreementsVersion: row.agreements_version,
    signedBy: row.signed_as,
    signedAt: row.received_at.toISOString(),
    deal: parties && { ...parties, openedBy: row.created_by },
  }
}
