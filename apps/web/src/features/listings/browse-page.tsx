import { pages } from '@holdfast/contracts/pages'
import { lazy, Suspense } from 'react'
import { Button } from '../../components/button.js'
import { LoadError } from '../../components/load-error.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { Loading } from '../../components/skeleton.js'
import { useSearchParams } from '../../lib/navigation.js'
import { useDrawnLater } from '../../lib/use-drawn-later.js'
import { BrowseFilters } from './browse-filters.js'
import { ListingCard, ListingCardSkeleton } from './listing-card.js'
import { type ListingSearch, readSearch, writeSearch } from './listing-search.js'
import { useListingPages } from './use-listing-pages.js'

// Most searches find something.
const NothingFound = lazy(async () => ({ default: (await import('./nothing-found.js')).NothingFound }))

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
    if (params.toString() !== writeSearch(search).toString()) setParams(params)
  }
  return (
    <div className="page">
      <PageHead page={pages.browse} />
      <PageHeader
        title="Browse Items"
        lead="Whatever you buy here, your money is held until the item has arrived and you have accepted it."
      />
      <div className="grid gap-8 lg:grid-cols-[15rem_1fr] lg:gap-12">
        <BrowseFilters search={search} onChange={change} />
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

function Results({ search, onReset }: { search: ListingSearch; onReset: () => void }) {
  const { items: listings, error, hasMore, isLoadingMore, loadMore, retry } = useListingPages(search)
  const isComplete = useDrawnLater(listings !== undefined, false)
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
        {(isComplete ? listings : listings.slice(0, FIRST_SCREEN)).map((listing, index) => (
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
      {/* Only under the whole list: it would move when the rest is drawn. */}
      {isComplete && hasMore && (
        <div className="mt-10">
          <Button kind="quiet" busy={isLoadingMore} onClick={() => void loadMore()}>
            {isLoadingMore ? 'Loading...' : 'Show More Items'}
          </Button>
        </div>
      )}
    </>
  )
}
