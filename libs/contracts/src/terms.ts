/** What the two sides of a deal agree on, as it travels from the listing to the escrow. */
import { AGREEMENTS_VERSIONS } from '@holdfast/kernel/agreements'
import { PARTY_ROLES } from '@holdfast/kernel/deals'
import { CATEGORIES, CONDITIONS, LISTING_STATUSES, RETURN_POLICIES } from '@holdfast/kernel/listings'
import { z } from 'zod'
import { Amount, CurrencyCode, IntegerId, Timestamp, Uuid } from './fields.js'

/** Where a picture is to be had: its content's SHA-256 names it. */
export const ImagePath = z.string().regex(/^\/api\/images\/[0-9a-f]{64}$/)

/** What opens the deal of a listing that was created for a chosen counterparty. */
export const CounterpartyDeal = z.object({ buyerId: Uuid, sellerId: Uuid, openedBy: Uuid })

/** What a deal freezes when it opens: the listing as it stood. */
export const ListingTerms = z.object({
  listingId: IntegerId,
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
  /** The seller's signature on the three agreements, where the seller made the listing. */
  signedBy: z.enum(PARTY_ROLES),
  signedAt: Timestamp,
  /** The chosen counterparty's deal, or null for a listing that everyone may buy. */
  deal: CounterpartyDeal.nullable(),
})
export type ListingTerms = z.infer<typeof ListingTerms>

/** The terms that the buyer saw: a purchase under other terms is refused. The price is sent and compared by itself. */
export const SeenTerms = ListingTerms.pick({
  title: true,
  description: true,
  condition: true,
  inspectionDays: true,
  returnPolicy: true,
  images: true,
})
export type SeenTerms = z.infer<typeof SeenTerms>
