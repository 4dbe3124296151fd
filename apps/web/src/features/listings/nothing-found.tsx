import { Button, ButtonLink } from '../../components/button.js'
import { EmptyState } from '../../components/empty-state.js'
import { paths } from '../../lib/paths.js'
import { countFilters, type ListingSearch } from './listing-search.js'

const isUpsideDown = ({ minPrice, maxPrice }: ListingSearch) =>
  minPrice !== undefined && maxPrice !== undefined && Number(minPrice) > Number(maxPrice)

/** In place of the list when a search finds nothing, or nothing is for sale. */
export default function NothingFound({ search, onReset }: { search: ListingSearch; onReset: () => void }) {
  const narrowed = search.q !== undefined || countFilters(search) > 0
  if (narrowed) {
    return (
      <EmptyState
        level={3}
        title="Nothing matches this search"
        action={
          <Button kind="quiet" onClick={onReset}>
            Clear Search and Filters
          </Button>
        }
      >
        {isUpsideDown(search)
          ? 'The lowest price you ask for is above the highest.'
          : 'Try fewer words, another category or a wider price range.'}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      level={3}
      title="Nothing is for sale yet"
      action={<ButtonLink to={paths.createListing}>Create Listing</ButtonLink>}
    >
      You could offer the first item. Its buyer's money is held until they have accepted it.
    </EmptyState>
  )
}
