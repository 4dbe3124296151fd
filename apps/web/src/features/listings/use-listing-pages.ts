import { routes } from 'virtual:routes'
import { LISTINGS_OF_A_PAGE } from '@holdfast/kernel/listings'
import { usePages } from '../../lib/use-pages.js'
import type { ListingSearch } from './listing-search.js'

/** The listings that match a search, page by page. */
export const useListingPages = (search: ListingSearch) =>
  // Pages that were seen show at once and are asked for again on every visit: an item may have been sold meanwhile.
  usePages(
    routes.listListings,
    { query: { ...search, limit: LISTINGS_OF_A_PAGE } },
    { revalidateOnMount: true, dedupingInterval: 1_000 },
  )
