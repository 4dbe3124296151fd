import type { Collection } from '../state/collection.js'
import { StripeError } from './stripe-error.js'

const DEFAULT_LIMIT = 10
const MAX_LIMIT = 100

export interface ListParams {
  readonly limit?: number | undefined
  readonly starting_after?: string | undefined
  readonly ending_before?: string | undefined
  readonly created?: number | Bounds | undefined
}

interface Bounds {
  readonly gt?: number | undefined
  readonly gte?: number | undefined
  readonly lt?: number | undefined
  readonly lte?: number | undefined
}

export interface Listed {
  readonly object: 'list'
  readonly data: readonly unknown[]
  readonly has_more: boolean
  readonly url: string
}

/**
 * One page of a collection, newest first; `starting_after` and `ending_before` are ids (docs.stripe.com/api/pagination).
 *
 * @throws StripeError 400 for a limit outside 1–100, 404 for a cursor that names nothing
 */
export function listPage<T extends { readonly id: string; readonly createdAt: number }>(
  url: string,
  collection: Collection<T>,
  params: ListParams,
  matches: (record: T) => boolean,
  render: (record: T) => unknown,
): Listed {
  const limit = params.limit ?? DEFAULT_LIMIT
  if (limit < 1 || limit > MAX_LIMIT) {
    throw StripeError.invalid(`Invalid limit: must be between 1 and ${MAX_LIMIT}`, { param: 'limit' })
  }
  const all = collection.newestFirst().filter(each => matches(each) && isWithin(each.createdAt, params.created))
  const [page, hasMore] = params.ending_before
    ? pageBefore(all, cursorIn(all, params.ending_before, 'ending_before'), limit)
    : pageFrom(all, params.starting_after ? cursorIn(all, params.starting_after, 'starting_after') + 1 : 0, limit)
  return { object: 'list', data: page.map(render), has_more: hasMore, url }
}

function pageFrom<T>(all: readonly T[], start: number, limit: number): readonly [readonly T[], boolean] {
  return [all.slice(start, start + limit), all.length > start + limit]
}

function pageBefore<T>(all: readonly T[], end: number, limit: number): readonly [readonly T[], boolean] {
  return [all.slice(Math.max(0, end - limit), end), end > limit]
}

function cursorIn(all: readonly { readonly id: string }[], id: string, param: string): number {
  const index = all.findIndex(each => each.id === id)
  if (index < 0) throw StripeError.missing('object', id, param)
  return index
}

function isWithin(createdAt: number, created: number | Bounds | undefined): boolean {
  if (created === undefined) return true
  const seconds = Math.floor(createdAt / 1000)
  if (typeof created === 'number') return seconds === created
  return (
    seconds > (created.gt ?? Number.NEGATIVE_INFINITY) &&
    seconds >= (created.gte ?? Number.NEGATIVE_INFINITY) &&
    seconds < (created.lt ?? Number.POSITIVE_INFINITY) &&
    seconds <= (created.lte ?? Number.POSITIVE_INFINITY)
  )
}
