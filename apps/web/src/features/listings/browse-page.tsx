import { pages } from '@holdfast/contracts/pages'
import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router-dom'
import { Button } from '../../components/button.js'
import { LoadError } from '../../components/load-error.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { ListingCard, ListingCardSkeleton } from './listing-card.js'
import { type ListingSearch, readSearch, writeSearch } from './listing-search.js'
import { useListingPages } from './use-listing-pages.js'

// The code of forms is large, and what people look for first is below.
const BrowseFilters = lazy(() => import('./browse-filters.js'))
// Most searches find something.
const NothingFound = lazy(() => import('./nothing-found.js'))

/** The most columns of the grid. */
const FIRST_ROW = 3
/** More than the first screen shows, at every width. */
const FIRST_SCREEN = 6
const GRID = 'grid gap-x-6 gap-y-9 sm:grid-cols-2 xl:grid-cols-3'

export default function BrowsePage() {
  const [params, setParams] = useSearchParams()
  const search = readSearch(params)
  const change = (next: ListingSearch) => {
    const params = writeSearch(next)
    // Leaving a field that was not changed is no new search, and Back must not lead through it.
    if (params.toString() !== writeSearch(search).toString()) setParams(params, { preventScrollReset: true })
  }
  return (
    <div className="page">
      <PageHead page={pages.browse} />
      <PageHeader
        title="Browse Items"
        lead="Whatever you buy here, your money is held until the item has arrived and you have accepted it."
      />
      <div className="grid gap-8 lg:grid-cols-[15rem_1fr] lg:gap-12">
        <Suspense fallback={<FiltersSkeleton />}>
          <BrowseFilters search={search} onChange={change} />
        </Suspense>
        <section aria-labelledby="results">
          <h2 id="results" className="sr-only">
            Items for sale
          </h2>
          <Results search={search} onReset={() => change({ sort: 'newest' })} />
        </section>
      </div>
    </div>
  )
}

/** As high as the filters, which are folded on a narrow screen. */
function FiltersSkeleton() {
  return (
    <div className="grid content-start gap-5">
      <Skeleton className="h-11" />
      <Skeleton className="h-11 lg:h-96" />
    </div>
  )
}

function Results({ search, onReset }: { search: ListingSearch; onReset: () => void }) {
  const { items: listings, error, hasMore, isLoadingMore, loadMore, retry } = useListingPages(search)
  if (!listings) {
    if (error) return <LoadError title="The items could not be loaded" error={error} retry={retry} />
    return (
      <Loading label="Loading items">
        <div className={GRID}>
          {Array.from({ length: FIRST_SCREEN }, (_, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the places are all alike
            <ListingCardSkeleton key={place} />
          ))}
        </div>
      </Loading>
    )
  }
  if (listings.length === 0) {
    return (
      <Suspense>
        <NothingFound search={search} onReset={onReset} />
      </Suspense>
    )
  }
  return (
    <>
      <ul className={GRID}>
        {listings.map((listing, index) => (
          <li key={listing.id}>
            <ListingCard listing={listing} picture={index === 0 ? 'first' : index < FIRST_ROW ? 'soon' : 'lazy'} />
          </li>
        ))}
      </ul>
      {error && (
        <div className="mt-8">
          <LoadError title="More items could not be loaded" error={error} retry={retry} />
        </div>
      )}
      {hasMore && (
        <div className="mt-10">
          <Button kind="quiet" busy={isLoadingMore} onClick={() => void loadMore()}>
            {isLoadingMore ? 'Loading...' : 'Show More Items'}
          </Button>
        </div>
      )}
    </>
  )
}
