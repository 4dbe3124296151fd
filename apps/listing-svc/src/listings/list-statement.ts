import type { listingRoutes } from '@holdfast/contracts/listings'
import type { Parsed } from '@holdfast/contracts/route'
import { invalidFields } from '@holdfast/kernel/errors'
import type { ListingSort } from '@holdfast/kernel/listings'
import { prefixQuery, searchText } from '@holdfast/kernel/search-text'
import { readAmount } from './domain/price.js'
import { type PriceCursor, readCursor, writeCursor } from './domain/price-cursor.js'
import { type ListingRow, SELECT_LISTINGS } from './listing-row.js'

export type ListQuery = Parsed<typeof listingRoutes.listListings>['query']

export interface Statement {
  readonly text: string
  readonly values: unknown[]
}

/** The query parameters of a list's next page. */
export type ListPosition = { readonly before: number } | { readonly after: string }

/** The position after a page's last row. */
export const positionAfter = (sort: ListingSort, row: ListingRow): ListPosition =>
  sort === 'newest'
    ? { before: Number(row.id) }
    : { after: writeCursor({ priceMinor: BigInt(row.price_minor), id: Number(row.id) }) }

/**
 * The statement for a page. It reads one row more than the limit, which shows whether another page follows. A page begins
 * after the sort key of the last row, so rows that are added meanwhile do not cause repeated or missing rows.
 *
 * @param viewerId the user; null for a visitor
 * @throws DomainError VALIDATION_FAILED or AMOUNT_INVALID, which name the parameter
 */
export function listStatement(query: ListQuery, viewerId: string | null): Statement {
  const values: unknown[] = []
  const value = (each: unknown): string => `$${values.push(each)}`
  const conditions = [...visible(query, viewerId, value), ...matching(query, value), ...continued(query, value)]
  const order = {
    newest: 'l.id DESC',
    'price-asc': 'l.price_minor, l.id',
    'price-desc': 'l.price_minor DESC, l.id DESC',
  }
  const text = `${SELECT_LISTINGS} WHERE ${conditions.join(' AND ')} ORDER BY ${order[query.sort]} LIMIT ${value(query.limit + 1)}`
  return { text, values }
}

/** What listings are counted by. */
export type FacetsQuery = Parsed<typeof listingRoutes.countListings>['query']

/** The most listings that a search counts one by one. A common word is in a share of all listings, however many there are. */
export const COUNTED_AT_MOST = 1_000

/**
 * The statement that counts the listings on sale by category and condition, whatever category and condition the query asks for. Of a search it
 * counts the newest ones alone, at most `COUNTED_AT_MOST`.
 *
 * @throws DomainError AMOUNT_INVALID, which names the parameter
 */
export function facetsStatement(query: FacetsQuery): Statement {
  const { text, values } = matches(query, 'l.category, l.condition')
  const counted = query.q ? `${text} ORDER BY l.id DESC LIMIT ${COUNTED_AT_MOST}` : text
  return { text: `SELECT category, condition, count(*)::int AS count FROM (${counted}) found GROUP BY 1, 2`, values }
}

/** The statement that answers PostgreSQL's plan for all listings that the same query counts, with the number that it expects. */
export function expectedStatement(query: FacetsQuery): Statement {
  const { text, values } = matches(query, '')
  return { text: `EXPLAIN (FORMAT JSON) ${text}`, values }
}

function matches({ q, minPrice, maxPrice }: FacetsQuery, columns: string): Statement {
  const values: unknown[] = []
  const value = (each: unknown): string => `$${values.push(each)}`
  const conditions = [ON_SALE, ...matching({ q, minPrice, maxPrice }, value)]
  return { text: `SELECT ${columns} FROM listing l WHERE ${conditions.join(' AND ')}`, values }
}

type AddValue = (value: unknown) => string

/** The listings that every visitor can find. The indexes for browsing contain only these. */
const ON_SALE = `l.status = 'active' AND NOT l.is_private`

/** Whether the query asks for the viewer's own listings. They include what the viewer has just made or changed. */
export const isOwnList = ({ sellerId }: Pick<ListQuery, 'sellerId'>, viewerId: string | null): boolean =>
  sellerId !== undefined && sellerId === viewerId

/** One's own listings in every or the requested statuses. Listings of others only when they can be bought. */
function visible({ sellerId, status }: ListQuery, viewerId: string | null, value: AddValue): string[] {
  const own = isOwnList({ sellerId }, viewerId)
  if (status !== undefined && !own) throw invalidFields({ status: 'Only with your own sellerId' })
  return [
    ...(own ? [] : [ON_SALE]),
    ...(sellerId === undefined ? [] : [`l.seller_id = ${value(sellerId)}`]),
    ...(status === undefined ? [] : [`l.status = ANY(${value(status)}::text[])`]),
  ]
}

function matching({ q, category, condition, minPrice, maxPrice }: FacetsQuery, value: AddValue): string[] {
  return [
    ...(q ? [searching(q, value)] : []),
    ...(category === undefined ? [] : [`l.category = ${value(category)}`]),
    ...(condition === undefined ? [] : [`l.condition = ${value(condition)}`]),
    ...(minPrice === undefined ? [] : [`l.price_minor >= ${value(readAmount('minPrice', minPrice))}`]),
    ...(maxPrice === undefined ? [] : [`l.price_minor <= ${value(readAmount('maxPrice', maxPrice))}`]),
  ]
}

/**
 * Matches texts with all words in any English form (`watches`, `watch`). The last word may be the beginning of one, since the user may not have
 * written all of it yet. So may words with other letters than English ones, whose forms PostgreSQL does not know here. Earlier English words must be
 * whole: a search for the beginning of a common word reads too many listings.
 */
function searching(q: string, value: AddValue): string {
  const words = searchText(q).split(' ')
  const isWhole = (word: string, index: number) => index < words.length - 1 && /^[a-z\d]+$/.test(word)
  const beginnings = prefixQuery(words.filter((word, index) => !isWhole(word, index)).join(' '))
  if (beginnings === null) return 'false'
  const all = `plainto_tsquery('english', ${value(words.join(' '))})`
  const whole = `plainto_tsquery('english', ${value(words.filter(isWhole).join(' '))})`
  return `l.search @@ (${all} || (${whole} && to_tsquery('simple', ${value(beginnings)})))`
}

function continued({ sort, before, after }: ListQuery, value: AddValue): string[] {
  if (sort === 'newest') {
    if (after !== undefined) throw invalidFields({ after: 'A list of the newest continues by `before`' })
    return before === undefined ? [] : [`l.id < ${value(before)}`]
  }
  if (before !== undefined) throw invalidFields({ before: 'A list sorted by price continues by `after`' })
  if (after === undefined) return []
  const cursor = readCursor(after)
  if (!cursor) throw invalidFields({ after: 'Not from a Link header of this list' })
  return [afterPrice(sort, cursor, value)]
}

const afterPrice = (sort: ListingSort, cursor: PriceCursor, value: AddValue): string =>
  `(l.price_minor, l.id) ${sort === 'price-asc' ? '>' : '<'} (${value(cursor.priceMinor)}::bigint, ${value(cursor.id)}::bigint)`
