import { routes } from 'virtual:routes'
import type { Listing } from '@holdfast/contracts/listings'
import { Link } from 'react-router-dom'
import { Badge } from '../../components/badge.js'
import { ButtonLink } from '../../components/button.js'
import { LoadError } from '../../components/load-error.js'
import { Money } from '../../components/money.js'
import { Picture } from '../../components/picture.js'
import { ShowMore } from '../../components/show-more.js'
import { paths } from '../../lib/paths.js'
import { formatDate } from '../../lib/time.js'
import { usePages } from '../../lib/use-pages.js'
import { ListingBadge } from '../listings/shared/listing-badge.js'

/** The square of 3rem shows the middle of a picture whose height fits, and which is then 4.5rem wide. */
const THUMBNAIL_SIZES = '4.5rem'

/** The seller's listings that are not sold and not in a deal, on sale or off it. Shows nothing when there are none. */
export function UnsoldListings({ sellerId }: { sellerId: string }) {
  const pages = usePages(routes.listListings, { query: { sellerId, status: ['active', 'inactive'] } })
  const { items, error, retry } = pages
  if (error && !items) return <LoadError title="Your listings could not be loaded" error={error} retry={retry} />
  if (!items || items.length === 0) return null
  return (
    <section aria-labelledby="unsold">
      <h2 id="unsold" className="mb-3 text-lg font-semibold">
        Your Listings
      </h2>
      <ul className="divide-y divide-rule border-y border-rule">
        {items.map(listing => (
          <UnsoldListing key={listing.id} listing={listing} />
        ))}
      </ul>
      <div className="mt-6">
        <ShowMore of={pages} errorTitle="More listings could not be loaded" />
      </div>
    </section>
  )
}

function UnsoldListing({ listing }: { listing: Listing }) {
  return (
    <li className="flex items-center gap-4 py-4">
      <Picture
        src={listing.images[0]}
        alt=""
        sizes={THUMBNAIL_SIZES}
        className="size-12 shrink-0 rounded-md border border-rule"
      />
      <div className="min-w-0 flex-1">
        <h3 className="line-clamp-2 font-semibold">
          <Link to={paths.listing(listing.id)} className="decoration-edge underline-offset-4 hover:underline">
            {listing.title}
          </Link>
        </h3>
        <p className="flex flex-wrap items-center gap-x-2.5 text-sm text-ink-soft">
          <ListingBadge status={listing.status} />
          {listing.isPrivate && <Badge>Private</Badge>}
          <Money amount={listing.price} currency={listing.currency} className="font-semibold text-ink sm:hidden" />
          <span className="max-sm:hidden">Listed {formatDate(new Date(listing.createdAt))}</span>
        </p>
      </div>
      <Money amount={listing.price} currency={listing.currency} className="font-semibold max-sm:hidden" />
      <ButtonLink to={paths.listing(listing.id)} kind="quiet" size="sm" aria-label={`View listing ${listing.title}`}>
        View
      </ButtonLink>
    </li>
  )
}
