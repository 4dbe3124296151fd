import { z } from 'zod'
import type { Collection } from '../state/collection.js'
import { commonShape, integer } from './params.js'
import { StripeError } from './stripe-error.js'

const DEFAULT_PAGE_SIZE = 10

export const searchParams = z.strictObject({
  ...commonShape,
  query: z.string(),
  limit: integer.optional(),
  page: integer.optional(),
})

/**
 * One page of the records that a search for metadata finds, newest first (docs.stripe.com/search). It is the only search that the sandbox
 * knows.
 *
 * @throws StripeError 400 for another query
 */
export function searchPage<T extends { readonly id: string; readonly metadata: Readonly<Record<string, string>> }>(
  url: string,
  collection: Collection<T>,
  params: z.infer<typeof searchParams>,
  render: (record: T) => unknown,
) {
  const [name, value] = metadataIn(params.query)
  const found = collection.newestFirst().filter(({ metadata }) => metadata[name] === value)
  // Stripe's clients send `next_page` back as it is. Here it is the number of results before the page.
  const begin = params.page ?? 0
  const end = begin + (params.limit ?? DEFAULT_PAGE_SIZE)
  const hasMore = end < found.length
  const data = found.slice(begin, end).map(render)
  return { object: 'search_result', data, has_more: hasMore, next_page: hasMore ? String(end) : null, url }
}

function metadataIn(query: string): [name: string, value: string] {
  const [, name, value] = /^metadata\['(\w+)'\]:'([^']*)'$/.exec(query) ?? []
  if (!name || value === undefined)
    throw StripeError.invalid("The sandbox searches only for metadata['name']:'value'.", { param: 'query' })
  return [name, value]
}
