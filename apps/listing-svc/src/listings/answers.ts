import { type Listing, listingRoutes } from '@holdfast/contracts/listings'
import type { BatchableReply, BatchableRequest } from '@holdfast/service-kit/http/batched-request'
import { isNoneMatch } from '@holdfast/service-kit/http/etag'
import { nextLink } from '@holdfast/service-kit/http/next-link'
import type { ListQuery } from './list-statement.js'
import { etagOf, type ListingRow, toListing } from './listing-row.js'
import type { ListPage } from './listings.reader.js'

/** A browser may keep the answer but must revalidate it each time, because it depends on the signed-in user. */
const CACHE_CONTROL = 'private, no-cache'

interface Exchange {
  readonly request: BatchableRequest
  readonly reply: BatchableReply
}

/** Answers a listing with its `ETag`; 304 without a body when `If-None-Match` names that tag. */
export function answerListing(row: ListingRow, { request, reply }: Exchange): Listing {
  const etag = etagOf(row)
  reply.header('etag', etag).header('cache-control', CACHE_CONTROL)
  if (request.method === 'GET' && isNoneMatch(request.headers['if-none-match'], etag)) reply.code(304)
  return toListing(row)
}

/** Answers a page. When there is a next one, `Link` has its address, with the same query. */
export function answerPage({ listings, next }: ListPage, query: ListQuery, { reply }: Exchange): Listing[] {
  const { before: _before, after: _after, ...filters } = query
  if (next) reply.header('link', nextLink(listingRoutes.listListings, { query: { ...filters, ...next } }))
  return listings
}
