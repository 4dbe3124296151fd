/** What the parties of a deal agree on. listing-svc sends it, and escrow-svc keeps it. */
import { AGREEMENTS_VERSIONS } from '@holdfast/kernel/agreements'
import { PARTY_ROLES } from '@holdfast/kernel/deals'
import { CATEGORIES, CONDITIONS, LISTING_STATUSES, RETURN_POLICIES } from '@holdfast/kernel/listings'
import { z } from 'zod'
import { Amount, CurrencyCode, IntegerId, Sha256, Timestamp, Uuid } from './fields.js'

/** The address of a picture. It contains the SHA-256 of the picture's bytes. */
export const ImagePath = z.string().regex(/^\/api\/images\/[0-9a-f]{64}$/)

/** What is needed to open the deal of a listing that was created for a chosen counterparty. */
const CounterpartyDeal = z.object({ buyerId: Uuid, sellerId: Uuid, openedBy: Uuid })

/** The listing at the moment when the deal opens. The deal keeps this, also when the listing changes later. */
export const ListingTerms = z.object({
  listingId: IntegerId,
  /** The first listing of the same item. Absent when it is this listing, and in what the previous release sends. */
  itemId: IntegerId.optional(),
  sellerId: Uuid,
  title: z.string(),
  description: z.string(),
  price: Amount,
  currency: CurrencyCode,
  category: z.enum(CATEGORIES),
  condition: z.enum(CONDITIONS),
  location: z.string().nullable(),
  images: z.array(ImagePath),
  inspectionDays: z.number().int(),
  returnPolicy: z.enum(RETURN_POLICIES),
  status: z.enum(LISTING_STATUSES),
  agreementsVersion: z.enum(AGREEMENTS_VERSIONS),
  /** Who signed the three agreements last, and when: the maker of the listing, or its seller since. */
  signedBy: z.enum(PARTY_ROLES),
  signedAt: Timestamp,
  /**
   * The hash of the terms that were signed then (`hashTerms` of the service-kit). When the hash of these terms is another, nobody signed
   * them.
   */
  signedHash: Sha256,
  /** The deal with the chosen counterparty; null for a listing that everyone may buy. */
  deal: CounterpartyDeal.nullable(),
})
export type ListingTerms = z.infer<typeof ListingTerms>
/** The terms before anybody has signed them. */
export type UnsignedTerms = Omit<ListingTerms, 'signedHash'>

/** A hash of the terms that the buyer saw. A purchase under other terms is refused. The price is compared separately. */
export const SeenTerms = ListingTerms.pick({
  title: true,
  description: true,
  condition: true,
  inspectionDays: true,
  returnPolicy: true,
  images: true,
})
export type SeenTerms = z.infer<typeof SeenTerms>
