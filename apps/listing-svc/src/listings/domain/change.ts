import { SIGNATURE_MISSING } from '@holdfast/kernel/agreements'
import { DomainError, invalidFields } from '@holdfast/kernel/errors'
import { IMAGE_PATH_PREFIX } from '@holdfast/kernel/images'
import type { Category, Condition, ReturnPolicy } from '@holdfast/kernel/listings'
import { changeable } from './access.js'
import type { ListingState } from './listing.js'
import { readPrice } from './price.js'

/** The changes that an owner requests. Fields that are left out stay unchanged. */
export interface ListingChange {
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly price?: string | undefined
  readonly category?: Category | undefined
  readonly condition?: Condition | undefined
  readonly location?: string | null | undefined
  readonly inspectionPeriod?: number | undefined
  readonly returnPolicy?: ReturnPolicy | undefined
  readonly isPrivate?: boolean | undefined
  readonly status?: 'active' | 'inactive' | undefined
  /** In the new order: hashes of new pictures, paths of pictures to keep. */
  readonly images?: readonly string[] | undefined
  /** The owner's signature on the terms as they are after the change. */
  readonly digitalSignature?: string | undefined
}

/** What a change makes of a listing. */
export interface ListingAfter {
  readonly listing: ListingState
  /** What the seller signs with it; null when the change needs no signature. */
  readonly digitalSignature: string | null
}

/**
 * Decides the state of a listing after a change by its owner.
 *
 * @param expectedVersion the version the owner has seen; null to overwrite any
 * @returns the new state; null when nothing would change, whatever the version: the owner may repeat a change whose answer was lost
 * @throws DomainError as `changeable` does; CONFLICT when the version is another; LISTING_RELISTED; VALIDATION_FAILED, which names
 * `digitalSignature` when that is needed and missing; AMOUNT_INVALID
 */
export function decideChange(
  found: ListingState | null,
  change: ListingChange,
  userId: string,
  expectedVersion: number | null,
): ListingAfter | null {
  const listing = changeable(found, userId)
  const next = changed(listing, change)
  if (isSame(listing, next)) return null
  if (expectedVersion !== null && expectedVersion !== listing.version) throw new DomainError('CONFLICT')
  if (change.status === 'active' && listing.relistedAs !== null) throw new DomainError('LISTING_RELISTED')
  if (change.isPrivate === false && listing.counterpartyId !== null) {
    throw invalidFields({ isPrivate: 'A listing made for one user stays private' })
  }
  if (!needsSignature(listing, next)) return { listing: next, digitalSignature: null }
  const { digitalSignature } = change
  if (digitalSignature === undefined) throw invalidFields({ digitalSignature: SIGNATURE_MISSING })
  return { listing: next, digitalSignature }
}

/** What the terms of a deal contain of a listing and a change may alter. Whoever changes one of these signs the terms anew. */
const TERMS = [
  'title',
  'description',
  'priceMinor',
  'category',
  'condition',
  'location',
  'inspectionDays',
  'returnPolicy',
] as const satisfies readonly (keyof ListingState)[]

/** Other terms need a signature, and so does a listing that goes on sale: a buyer who made it has signed for themselves alone. */
function needsSignature(before: ListingState, after: ListingState): boolean {
  if (TERMS.some(term => before[term] !== after[term])) return true
  if (before.imageHashes.join() !== after.imageHashes.join()) return true
  return after.status === 'active' && before.status !== 'active' && !before.signedBySeller
}

function changed(listing: ListingState, change: ListingChange): ListingState {
  const { price, images, inspectionPeriod, location, status, digitalSignature: _signature, ...same } = change
  return {
    ...listing,
    ...defined(same),
    ...defined({
      priceMinor: price === undefined ? undefined : readPrice(price),
      imageHashes: images === undefined ? undefined : hashesOf(images, listing),
      inspectionDays: inspectionPeriod,
      location: location === '' ? null : location,
      status,
      withdrawn: status === undefined ? undefined : status === 'inactive',
    }),
  }
}

/**
 * Decides the state of a listing that its owner takes off sale; null when it is off sale already.
 *
 * @throws DomainError as `changeable` does
 */
export function decideWithdrawal(found: ListingState | null, userId: string): ListingAfter | null {
  return decideChange(found, { status: 'inactive' }, userId, null)
}

/**
 * The hashes of a listing's new and kept pictures, in the order given.
 *
 * @throws DomainError VALIDATION_FAILED naming the field, for the path of a picture that this listing does not have
 */
export function hashesOf(images: readonly string[], listing: Pick<ListingState, 'imageHashes'>): string[] {
  return images.map((image, i) => {
    if (!image.startsWith(IMAGE_PATH_PREFIX)) return image
    const hash = image.slice(IMAGE_PATH_PREFIX.length)
    if (!listing.imageHashes.includes(hash)) throw invalidFields({ [`images.${i}`]: 'Not a picture of this listing' })
    return hash
  })
}

const defined = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

function isSame(a: ListingState, b: ListingState): boolean {
  const { imageHashes: ours, ...one } = a
  const { imageHashes: theirs, ...other } = b
  const keys = Object.keys(one) as (keyof typeof one)[]
  return keys.every(key => one[key] === other[key]) && ours.join() === theirs.join()
}
