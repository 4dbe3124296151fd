/** Listings, served by listing-svc. Creating one may open a deal at escrow-svc, so the gateway answers that route. */
import { MAX_SIGNATURE_LENGTH, SIGNATURE_MISSING } from '@holdfast/kernel/agreements'
import { PARTY_ROLES } from '@holdfast/kernel/deals'
import { IMAGE_WIDTHS, type ImageWidth, MAX_IMAGES } from '@holdfast/kernel/images'
import {
  CATEGORIES,
  CONDITIONS,
  INSPECTION_DAYS,
  LISTING_SORTS,
  LISTING_STATUSES,
  MAX_DESCRIPTION_LENGTH,
  MAX_LOCATION_LENGTH,
  MAX_TITLE_LENGTH,
  RETURN_POLICIES,
} from '@holdfast/kernel/listings'
import { MAX_IMAGE_REQUEST_BYTES, MAX_REQUEST_BYTES } from '@holdfast/kernel/requests'
import { MAX_SEARCH_LENGTH } from '@holdfast/kernel/users'
import { z } from 'zod'
import {
  Amount,
  AmountInput,
  AmountText,
  CurrencyCode,
  IdParams,
  ImageDataUrl,
  IntegerId,
  line,
  oneOrMore,
  optionalLine,
  PageQuery,
  Sha256,
  Timestamp,
  text,
  Uuid,
} from './fields.js'
import { route } from './route.js'
import { ImagePath, ListingTerms } from './terms.js'
import { PublicUser } from './users.js'

const inspectionDays = z
  .number({ error: 'Required' })
  .int()
  .refine(days => (INSPECTION_DAYS as readonly number[]).includes(days), `One of ${INSPECTION_DAYS.join(', ')}`)
  .meta({ enum: [...INSPECTION_DAYS] })

export const Listing = z.object({
  id: IntegerId,
  title: z.string(),
  description: z.string(),
  price: Amount,
  currency: CurrencyCode,
  category: z.enum(CATEGORIES),
  condition: z.enum(CONDITIONS),
  location: z.string().nullable(),
  status: z.enum(LISTING_STATUSES),
  isPrivate: z.boolean(),
  sellerId: Uuid,
  seller: PublicUser,
  /** Days of escrow protection: the inspection period. */
  escrowDays: z.number().int(),
  inspectionPeriod: z.number().int(),
  returnPolicy: z.enum(RETURN_POLICIES),
  images: z.array(ImagePath),
  createdAt: Timestamp,
  /** The listing that was made from this one when its item was listed again. */
  relistedAs: IntegerId.nullable(),
})
export type Listing = z.infer<typeof Listing>

const requireTrue = (what: string) => z.literal(true, { error: `Accept the ${what}` })
export const LegalAcceptance = z.object({
  termsAccepted: requireTrue('terms'),
  escrowAgreement: requireTrue('escrow agreement'),
  harmlessClause: requireTrue('hold-harmless clause'),
  digitalSignature: line(MAX_SIGNATURE_LENGTH, SIGNATURE_MISSING),
  signatureDate: z.iso.datetime({ offset: true, error: 'Must be a time' }),
})

/** The create-listing screen's payload (spec section 3). */
export const CreateListing = z.object({
  title: line(MAX_TITLE_LENGTH),
  description: text(MAX_DESCRIPTION_LENGTH),
  price: AmountInput,
  category: z.enum(CATEGORIES, { error: 'Choose a category' }),
  condition: z.enum(CONDITIONS, { error: 'Choose a condition' }),
  location: optionalLine(MAX_LOCATION_LENGTH).nullish(),
  inspectionPeriod: inspectionDays.default(0),
  returnPolicy: z.enum(RETURN_POLICIES).default('no-returns'),
  images: z.array(ImageDataUrl).max(MAX_IMAGES, `${MAX_IMAGES} images at most`).default([]),
  isPrivate: z.boolean().default(false),
  userRole: z.enum(PARTY_ROLES).default('seller'),
  legalAcceptance: LegalAcceptance,
  /** Used only as the counterparty's id; the user's own id comes from the session. */
  buyerId: Uuid.nullish(),
  sellerId: Uuid.nullish(),
  selectedUserId: Uuid.nullish(),
})
export type CreateListing = z.infer<typeof CreateListing>

/** What narrows a list of listings that can be bought. */
const ListingFilters = z.object({
  q: z.string().trim().max(MAX_SEARCH_LENGTH).optional(),
  category: z.enum(CATEGORIES).optional(),
  condition: z.enum(CONDITIONS).optional(),
  minPrice: AmountText.optional(),
  maxPrice: AmountText.optional(),
})

/** How many listings there are with each value of a field. Values without a listing are left out. */
const countsOf = <const V extends readonly [string, ...string[]]>(values: V) =>
  z.array(z.object({ value: z.enum(values), count: z.number().int() }))

export const ListingFacets = z.object({
  /** The listings that match every filter. */
  total: z.number().int(),
  /** Those that match every other filter, by category. */
  category: countsOf(CATEGORIES),
  /** Those that match every other filter, by condition. */
  condition: countsOf(CONDITIONS),
})
export type ListingFacets = z.infer<typeof ListingFacets>

const ImageParams = z.object({ hash: Sha256 })
/** A listed width. Any other text, such as `0320`, would be one more address of the same picture. */
const ImageWidthText = z.enum(IMAGE_WIDTHS.map(String)).transform(width => Number(width) as ImageWidth)

const onFields = ['AMOUNT_INVALID', 'IMAGE_INVALID', 'IMAGE_TOO_LARGE'] as const
const onOffering = [...onFields, 'COUNTERPARTY_REQUIRED', 'IDEMPOTENCY_KEY_REUSED'] as const
const onOwnListing = ['LISTING_NOT_FOUND', 'FORBIDDEN', 'LISTING_IN_DEAL'] as const

export const listingRoutes = {
  listListings: route({
    method: 'GET',
    path: '/api/listings',
    access: 'visitor',
    summary: 'Listings that can be bought, newest first; with sellerId all listings of that seller, of every status',
    query: PageQuery.extend(ListingFilters.shape).extend({
      sort: z.enum(LISTING_SORTS).default('newest'),
      sellerId: Uuid.optional(),
      /** Only listings in one of these statuses. Allowed only with one's own `sellerId`. */
      status: oneOrMore(LISTING_STATUSES).optional(),
      /** The next page of a list that is sorted by price: `after` of the `Link` header, whose form may change. */
      after: z.string().max(200).optional(),
    }),
    response: z.array(Listing),
    errors: ['AMOUNT_INVALID'],
  }),
  countListings: route({
    method: 'GET',
    path: '/api/listings/facets',
    access: 'visitor',
    summary:
      'How many listings can be bought with these filters, and with each other category and condition; up to a minute old, and beyond 1,000 matches of a search estimated',
    query: ListingFilters,
    response: ListingFacets,
    errors: ['AMOUNT_INVALID', 'RATE_LIMITED'],
  }),
  getListing: route({
    method: 'GET',
    path: '/api/listings/{id}',
    access: 'visitor',
    record: { kind: 'listing' },
    batched: true,
    summary: 'One listing with its seller; a private one only for its seller and its counterparty',
    params: IdParams,
    response: Listing,
    errors: ['LISTING_NOT_FOUND'],
  }),
  createListing: route({
    method: 'POST',
    path: '/api/listings',
    access: 'user',
    handling: 'joined',
    summary: 'Offer an item; with a counterparty the deal opens at once and is in the answer as `transaction`',
    status: 201,
    bodyLimit: MAX_IMAGE_REQUEST_BYTES,
    body: CreateListing,
    response: Listing.extend({ transaction: z.object({ id: IntegerId }).optional() }),
    errors: [
      ...onOffering,
      'COUNTERPARTY_UNAVAILABLE',
      'EMAIL_NOT_CONFIRMED',
      'LISTING_NOT_AVAILABLE',
      'RATE_LIMITED',
      'TRANSACTION_NOT_FOUND',
    ],
  }),
  updateListing: route({
    method: 'PATCH',
    path: '/api/listings/{id}',
    access: 'user',
    record: { kind: 'listing', for: ['seller'] },
    summary:
      'Change a listing; its owner signs changed terms, and open deals keep the terms under which they were opened',
    params: IdParams,
    /**
     * The `ETag` of the state that the owner changed. The request is refused when the listing has changed since, unless it already is as the
     * request wants it.
     */
    headers: z.object({ 'if-match': z.string().optional() }),
    bodyLimit: MAX_IMAGE_REQUEST_BYTES,
    body: z
      .object({
        title: line(MAX_TITLE_LENGTH),
        description: text(MAX_DESCRIPTION_LENGTH),
        price: AmountInput,
        category: z.enum(CATEGORIES),
        condition: z.enum(CONDITIONS),
        location: optionalLine(MAX_LOCATION_LENGTH).nullable(),
        inspectionPeriod: inspectionDays,
        returnPolicy: z.enum(RETURN_POLICIES),
        /** New pictures as data URLs, pictures to keep as the paths they have. */
        images: z.array(z.union([ImageDataUrl, ImagePath], { error: 'File must be an image' })).max(MAX_IMAGES),
        isPrivate: z.boolean(),
        status: z.enum(['active', 'inactive']),
        /**
         * The owner's full legal name: they accept the three agreements for the terms as they are after this change. Required when a term
         * changes, which is every field but `isPrivate` and `status`, and to put a listing on sale that its seller has not signed.
         */
        digitalSignature: line(MAX_SIGNATURE_LENGTH, SIGNATURE_MISSING),
      })
      .partial(),
    response: Listing,
    errors: [...onOwnListing, ...onFields, 'CONFLICT', 'LISTING_RELISTED', 'RATE_LIMITED'],
  }),
  relistListing: route({
    method: 'POST',
    path: '/api/listings/{id}/relist',
    access: 'user',
    record: { kind: 'listing', for: ['seller'] },
    summary:
      'Make a new listing of an item that was not sold or came back; a repeated request answers the listing that was made',
    status: 201,
    params: IdParams,
    body: z.object({ legalAcceptance: LegalAcceptance }),
    response: Listing,
    errors: [...onOwnListing, 'LISTING_ON_SALE', 'RATE_LIMITED'],
  }),
  withdrawListing: route({
    method: 'DELETE',
    path: '/api/listings/{id}',
    access: 'user',
    record: { kind: 'listing', for: ['seller'] },
    summary: 'Withdraw a listing',
    status: 204,
    params: IdParams,
    errors: onOwnListing,
  }),
  getImage: route({
    method: 'GET',
    path: '/api/images/{hash}',
    access: 'visitor',
    record: { kind: 'picture' },
    handling: 'raw',
    summary:
      'A picture by the hash of its content, which never changes; that of a private listing only for those who may see the listing, and for its buyers',
    params: ImageParams,
  }),
  getScaledImage: route({
    method: 'GET',
    path: '/api/images/{hash}/{width}',
    access: 'visitor',
    record: { kind: 'picture' },
    handling: 'raw',
    summary:
      'A picture as a WebP that is scaled down to a width, for those who may see the picture; while it cannot be made, the picture as it is stored',
    params: ImageParams.extend({ width: ImageWidthText }),
  }),
} as const

export const listingInternalRoutes = {
  createListingRecord: route({
    method: 'POST',
    path: '/internal/listings',
    access: { internal: ['gateway'] },
    summary: 'Store a listing and the signed agreements on behalf of a user',
    status: 201,
    // The gateway adds fields to the request, which may already have the largest size allowed.
    bodyLimit: MAX_IMAGE_REQUEST_BYTES + MAX_REQUEST_BYTES,
    body: z.object({
      listing: CreateListing,
      seller: PublicUser,
      counterpartyId: Uuid.nullable(),
      /** Whether the maker has confirmed their e-mail address. A gateway of an older release does not say it. */
      makerConfirmed: z.boolean().default(true),
    }),
    response: z.object({ listing: Listing, terms: ListingTerms }),
    errors: [...onOffering, 'UNAUTHENTICATED', 'EMAIL_NOT_CONFIRMED', 'RATE_LIMITED'],
  }),
  getListingTerms: route({
    method: 'GET',
    path: '/internal/listings/{id}/terms',
    access: { internal: ['gateway'] },
    summary: 'The terms that a deal on this listing would keep',
    params: IdParams,
    response: ListingTerms,
    errors: ['LISTING_NOT_FOUND'],
  }),
} as const
