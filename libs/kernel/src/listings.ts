/** The values and limits of a listing, as on the create-listing screen (spec sections 4, 5 and 9). */

export const CATEGORIES = [
  'Electronics',
  'Fashion',
  'Home & Garden',
  'Sports',
  'Automotive',
  'Books',
  'Jewelry',
  'Watches',
  'Art',
  'Other',
] as const
export type Category = (typeof CATEGORIES)[number]

export const CONDITIONS = ['New', 'Like New', 'Excellent', 'Good', 'Fair', 'Poor'] as const
export type Condition = (typeof CONDITIONS)[number]

/** Days of inspection after delivery; 0 is as-is, and the default. */
export const INSPECTION_DAYS = [0, 3, 5, 7] as const
export type InspectionDays = (typeof INSPECTION_DAYS)[number]
export const INSPECTION_LABELS: Record<InspectionDays, string> = {
  0: '0 days (as-is)',
  3: '3 days (recommended)',
  5: '5 days',
  7: '7 days',
}
/** The inspection as a term of a deal, without the form's advice. */
export const inspectionTerm = (days: number): string => (days === 0 ? INSPECTION_LABELS[0] : `${days} days`)

export const RETURN_POLICIES = ['no-returns', '7-day-return', '14-day-return', '30-day-return'] as const
export type ReturnPolicy = (typeof RETURN_POLICIES)[number]
export const RETURN_POLICY_LABELS: Record<ReturnPolicy, string> = {
  'no-returns': 'No returns',
  '7-day-return': '7-day return',
  '14-day-return': '14-day return',
  '30-day-return': '30-day return',
}

/** `reserved` while a deal is active, `sold` when it completed, `inactive` when the owner withdrew the listing. */
export const LISTING_STATUSES = ['active', 'reserved', 'sold', 'inactive'] as const
export type ListingStatus = (typeof LISTING_STATUSES)[number]

export const LISTING_SORTS = ['newest', 'price-asc', 'price-desc'] as const
export type ListingSort = (typeof LISTING_SORTS)[number]

/** How many listings the browse page and a seller's page ask for at a time. They fill rows of two and of three. */
export const LISTINGS_OF_A_PAGE = 24
/** What the browse page asks for before its user searches. */
export const NEWEST_LISTINGS = { sort: 'newest', limit: LISTINGS_OF_A_PAGE } as const

/** The most listings that one person may create. One account could otherwise fill the page of the newest listings. */
export const MAX_LISTINGS_PER_HOUR = 60
export const MAX_LISTINGS_PER_DAY = 200
/** The most of them for chosen counterparties. */
export const MAX_OFFERS_PER_HOUR = 20
/** The most offers that a user makes to strangers within a day while their e-mail address is not confirmed. */
export const MAX_UNCONFIRMED_OFFERS_PER_DAY = 3

export const MAX_TITLE_LENGTH = 120
export const MAX_DESCRIPTION_LENGTH = 5000
export const MAX_LOCATION_LENGTH = 120
