import type { Listing } from '@holdfast/contracts/listings'
import { BadgeCheck } from 'lucide-react'
import { Link } from 'react-router-dom'
import { Money } from '../../components/money.js'
import { Picture, type PictureProps } from '../../components/picture.js'
import { Skeleton } from '../../components/skeleton.js'
import { paths } from '../../lib/paths.js'

/** One, two or three columns, with the filters beside them on a wide screen. */
const SIZES = '(min-width: 80rem) 16rem, (min-width: 64rem) 32vw, (min-width: 40rem) 46vw, calc(100vw - 2rem)'

interface ListingCardProps {
  listing: Listing
  /** When its picture is loaded. */
  picture?: PictureProps['loading']
}

/** A listing among others. The whole of it is the link; its heading names it. */
export function ListingCard({ listing, picture = 'lazy' }: ListingCardProps) {
  return (
    <article className="group relative">
      <div className="overflow-hidden rounded-lg border border-rule">
        <Picture src={listing.images[0]} alt="" sizes={SIZES} loading={picture} className="aspect-3/2 w-full" />
      </div>
      <p className="mt-3 text-lg font-semibold">
        <Money amount={listing.price} currency={listing.currency} />
      </p>
      <h3 className="mt-0.5 line-clamp-2">
        <Link
          to={paths.listing(listing.id)}
          className="decoration-edge underline-offset-4 group-hover:underline after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-lg focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-ink"
        >
          {listing.title}
        </Link>
      </h3>
      <p className="mt-1 flex flex-wrap items-center gap-x-2.5 text-sm text-ink-soft">
        {listing.condition}
        {listing.location && <span className="truncate">{listing.location}</span>}
        {listing.seller.isVerified && (
          <BadgeCheck role="img" aria-label="Verified seller" className="size-4 shrink-0 text-ink" />
        )}
      </p>
    </article>
  )
}

export function ListingCardSkeleton() {
  return (
    <div>
      <Skeleton className="aspect-3/2 w-full rounded-lg" />
      <Skeleton className="mt-4 h-5 w-24" />
      <Skeleton className="mt-2 h-4 w-full" />
      <Skeleton className="mt-2 h-3.5 w-1/2" />
    </div>
  )
}
