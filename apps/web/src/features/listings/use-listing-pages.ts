import { routes } from 'virtual:routes'
import type { Listing } from '@holdfast/contracts/listings'
import type { Page } from '@holdfast/http-client/call'
import useSWRInfinite from 'swr/infinite'
import { requestPage } from '../../lib/api.js'
import { type ListingSearch, queryOfNext } from './listing-search.js'

type ListingPage = Page<Listing[]>

interface ListingPages {
  readonly listings: Listing[] | undefined
  readonly error: Error | undefined
  readonly isLoadingMore: boolean
  readonly hasMore: boolean
  readonly loadMore: () => void
  readonly retry: () => void
}

/** The listings that match a search, page by page. */
export function useListingPages(search: ListingSearch): ListingPages {
  const { data, error, size, setSize, mutate, isValidating } = useSWRInfinite<ListingPage, Error>(
    (index: number, previous: ListingPage | null) => {
      if (index === 0) return [routes.listListings.path, 'pages', search]
      return previous?.next ? [routes.listListings.path, 'pages', queryOfNext(previous.next)] : null
    },
    ([, , query]: [string, string, ListingSearch]) => requestPage(routes.listListings, { query }),
    // Pages that were seen show at once and are looked at again on every visit: an item may have been sold meanwhile.
    { revalidateFirstPage: false, revalidateOnMount: true, dedupingInterval: 1_000 },
  )
  return {
    listings: data?.flatMap(page => page.answer),
    error,
    isLoadingMore: isValidating && size > (data?.length ?? 0),
    hasMore: Boolean(data?.at(-1)?.next),
    loadMore: () => void setSize(size + 1),
    retry: () => void mutate(),
  }
}
