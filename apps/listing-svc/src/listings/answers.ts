import { type Listing, listingRoutes } from '@holdfast/contracts/listings'
import type { RequestContext } from '@holdfast/service-kit/http/route'
import { isNoneMatch } from '../etag.js'
import type { ListQuery } from './list-statement.js'
import { etagOf, type ListingRow, toListing } from './listing-row.js'
import type { ListPage } from './listings.reader.js'
import { nextLink } from './next-link.js'

/** Whoever has a copy may keep it, but asks whether it is still good: what they may see depends on who they are. */
const CACHE_CONTROL = 'private, no-cache'

type Exchange = Pick<RequestContext, 'request' | 'reply'>

/** Answers a listing with its tag; 304, without a body, to a reader who has it. */
export function answerListing(row: ListingRow, { request, reply }: Exchange): Listing {
  const etag = etagOf(row)
  reply.header('etag', etag).header('cache-control', CACHE_CONTROL)
  if (request.method === 'GET' && isNoneMatch(request.headers['if-none-match'], etag)) reply.code(304)
  return toListing(row)
}

/** Answers a page, with the way to the next one in `Link`. */
export function answerPage({ listings, next }: ListPage, query: ListQuery, { reply }: Exchange): Listing[] {
  if (next) reply.header('link', nextLink(listingRoutes.listListings.path, query, next))
  return listings
}
