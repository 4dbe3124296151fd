import type { Listing } from '@holdfast/contracts/listings'
import { IMAGE_PATH_PREFIX } from '@holdfast/kernel/images'
import type { Category, Condition, ListingStatus, ReturnPolicy } from '@holdfast/kernel/listings'
import { type Currency, formatAmount } from '@holdfast/kernel/money'
import type { Seller } from '../sellers/seller.js'
import type { Concerned } from './domain/access.js'

/** A listing and its seller, as statements select them. A `bigint` is text or BigInt, depending on the pool. */
export interface ListingRow {
  readonly id: string | bigint
  readonly version: number
  readonly title: string
  readonly description: string
  readonly price_minor: string | bigint
  readonly currency: Currency
  readonly category: Category
  readonly condition: Condition
  readonly location: string | null
  readonly status: ListingStatus
  readonly is_private: boolean
  readonly seller_id: string
  readonly counterparty_id: string | null
  readonly created_by: string
  /** Who accepted an invitation to a private listing; null for a public one. */
  readonly invited_ids: readonly string[] | null
  readonly inspection_days: number
  readonly return_policy: ReturnPolicy
  readonly image_hashes: readonly string[]
  readonly created_at: Date
  readonly relisted_as: string | bigint | null
  readonly item_id: string | bigint | null
  readonly seller_version: number
  readonly first_name: string
  readonly last_name: string
  readonly username: string
  readonly is_verified: boolean
  readonly rating: number | null
  readonly profile_image_url: string | null
}

/** Who accepted an invitation to a row of the table `listing`. Most listings are public, and need no look at the invitations. */
export const invitedTo = (listing: string) => `CASE WHEN ${listing}.is_private THEN ARRAY(
    SELECT i.accepted_by FROM invitation i
     WHERE i.listing_id = ${listing}.id AND i.accepted_by IS NOT NULL AND i.revoked_at IS NULL
  ) END`
/** The column `invited_ids` of `listing l`. */
export const INVITED_IDS = `${invitedTo('l')} AS invited_ids`

/** The columns of a `ListingRow`, of `listing l` and `seller s`. */
export const LISTING_COLUMNS = `l.id, l.version, l.title, l.description, l.price_minor, l.currency, l.category, l.condition, l.location,
  l.status, l.is_private, l.seller_id, l.counterparty_id, l.created_by, l.inspection_days, l.return_policy, l.image_hashes,
  l.created_at, l.relisted_as, l.item_id, ${INVITED_IDS}, s.version AS seller_version, s.first_name, s.last_name, s.username, s.is_verified, s.rating,
  s.profile_image_url`

/** The beginning of every statement that reads listings; rows are `ListingRow`. */
export const SELECT_LISTINGS = `SELECT ${LISTING_COLUMNS} FROM listing l JOIN seller s ON s.id = l.seller_id`

/** The fields of a listing that `mayRead` needs. */
export const concerned = (
  row: Pick<ListingRow, 'is_private' | 'seller_id' | 'counterparty_id' | 'created_by' | 'invited_ids'>,
): Concerned => ({
  isPrivate: row.is_private,
  sellerId: row.seller_id,
  counterpartyId: row.counterparty_id,
  createdBy: row.created_by,
  invitedIds: row.invited_ids,
})

/** A listing in the form of the routes' answers. */
export function toListing(row: ListingRow): Listing {
  return {
    id: Number(row.id),
    title: row.title,
    description: row.description,
    price: formatAmount(BigInt(row.price_minor), row.currency),
    currency: row.currency,
    category: row.category,
    condition: row.condition,
    location: row.location,
    status: row.status,
    isPrivate: row.is_private,
    sellerId: row.seller_id,
    seller: sellerOf(row),
    escrowDays: row.inspection_days,
    inspectionPeriod: row.inspection_days,
    returnPolicy: row.return_policy,
    images: row.image_hashes.map(hash => IMAGE_PATH_PREFIX + hash),
    createdAt: row.created_at.toISOString(),
    relistedAs: row.relisted_as === null ? null : Number(row.relisted_as),
  }
}

const sellerOf = (row: ListingRow): Seller => ({
  id: row.seller_id,
  firstName: row.first_name,
  lastName: row.last_name,
  username: row.username,
  isVerified: row.is_verified,
  rating: row.rating,
  profileImageUrl: row.profile_image_url,
})

/** The `ETag` of an answer of `toListing`: the versions of the listing and of its seller, who is part of the answer. */
export const etagOf = (row: ListingRow): string => `"${row.version}-${row.seller_version}"`

const ETAG = /^(?:W\/)?"(\d{1,9})-\d{1,9}"$/

/** The listing's version in an If-Match header; null for no header or `*`, -1 for a tag of another form. */
export function versionOf(ifMatch: string | undefined): number | null {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null
  const match = ETAG.exec(ifMatch.trim())
  return match ? Number(match[1]) : -1
}
