import { routes } from 'virtual:routes'
import { pages } from '@holdfast/contracts/pages'
import type { Review, SellerProfile } from '@holdfast/contracts/reviews'
import { LISTINGS_OF_A_PAGE } from '@holdfast/kernel/listings'
import { useParams } from 'react-router-dom'
import { ButtonLink } from '../../components/button.js'
import { Facts } from '../../components/facts.js'
import { LoadError } from '../../components/load-error.js'
import { PageHead } from '../../components/page-head.js'
import { PageMessage } from '../../components/page-message.js'
import { QueryState } from '../../components/query-state.js'
import { ShowMore } from '../../components/show-more.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { Stars } from '../../components/stars.js'
import { isStatus } from '../../lib/api.js'
import { fullName, ratingLabel, useSession } from '../../lib/current-user.js'
import { paths } from '../../lib/paths.js'
import { formatDate } from '../../lib/time.js'
import { useCall } from '../../lib/use-call.js'
import { usePages } from '../../lib/use-pages.js'
import { Person } from '../profile/shared/person.js'
import { ListingCard, ListingCardSkeleton } from './listing-card.js'

/** What everyone sees of a user who sells: their rating, what others wrote about them, and what they offer. */
export default function SellerPage() {
  const { username = '' } = useParams()
  const query = useCall(routes.getSeller, { params: { username } })
  if (isStatus(query.error, 404))
    return (
      <PageMessage title="Seller Not Found" actions={<ButtonLink to={paths.browse}>Browse Items</ButtonLink>}>
        There is no one with this username. They may have another one now.
      </PageMessage>
    )
  return (
    <div className="page pt-10">
      <PageHead page={pages.seller} {...(query.data ? { title: fullName(query.data) } : {})} />
      <QueryState
        query={query}
        errorTitle="The seller could not be loaded"
        loading={
          <Loading label="Loading seller" page>
            <Skeleton className="h-96 w-full rounded-lg" />
          </Loading>
        }
        page
      >
        {seller => <Profile seller={seller} />}
      </QueryState>
    </div>
  )
}

function Profile({ seller }: { seller: SellerProfile }) {
  return (
    <>
      <h1 className="sr-only">{fullName(seller)}</h1>
      <div className="grid gap-8 lg:grid-cols-[20rem_1fr] lg:gap-14">
        <div className="grid content-start gap-6">
          <Person user={seller} verifiedLabel="Verified Seller" showRating={false} />
          <Facts facts={factsOf(seller)} />
        </div>
        <div className="grid min-w-0 content-start gap-12">
          <Offers seller={seller} />
          <Reviews seller={seller} />
        </div>
      </div>
    </>
  )
}

const factsOf = ({ rating, reviewCount, completedDeals, memberSince }: SellerProfile) => [
  { label: 'Rating', value: rating === null ? 'New' : `${ratingLabel(rating)} of 5` },
  { label: 'Reviews', value: String(reviewCount) },
  { label: 'Completed transactions', value: String(completedDeals) },
  { label: 'Member since', value: <time dateTime={memberSince}>{formatDate(new Date(memberSince))}</time> },
]

function Offers({ seller }: { seller: SellerProfile }) {
  const isOwn = useSession().user?.id === seller.id
  const list = usePages(routes.listListings, {
    query: { sellerId: seller.id, limit: LISTINGS_OF_A_PAGE, ...(isOwn && { status: ['active'] as const }) },
  })
  // This page is what others see. The seller's own list has their private listings, too.
  const offers = list.items?.filter(({ status, isPrivate }) => status === 'active' && !isPrivate)
  return (
    <section aria-labelledby="offers">
      <h2 id="offers" className="display mb-4 text-xl">
        Items for sale
      </h2>
      {offers ? (
        <div className="grid gap-6">
          {offers.length === 0 && !list.hasMore && <p className="text-ink-soft">Nothing is for sale at the moment.</p>}
          <div className="grid gap-x-6 gap-y-9 empty:hidden sm:grid-cols-2 xl:grid-cols-3">
            {offers.map(listing => (
              <ListingCard key={listing.id} listing={listing} />
            ))}
          </div>
          <ShowMore of={list} errorTitle="More items could not be loaded" />
        </div>
      ) : list.error ? (
        <LoadError title="The items could not be loaded" error={list.error} retry={list.retry} />
      ) : (
        <Loading label="Loading items">
          <div className="grid gap-x-6 gap-y-9 sm:grid-cols-2 xl:grid-cols-3">
            <ListingCardSkeleton />
          </div>
        </Loading>
      )}
    </section>
  )
}

function Reviews({ seller }: { seller: SellerProfile }) {
  const list = usePages(routes.listReviews, { params: { userId: seller.id }, query: {} })
  return (
    <section aria-labelledby="reviews">
      <h2 id="reviews" className="display mb-4 text-xl">
        Reviews
      </h2>
      {list.items ? (
        <div className="grid gap-6">
          {list.items.length === 0 ? (
            <p className="text-ink-soft">
              No one has reviewed {seller.firstName} yet. Both parties of a completed transaction can.
            </p>
          ) : (
            <ul className="divide-y divide-rule border-y border-rule">
              {list.items.map(review => (
                <ReviewItem key={review.id} review={review} />
              ))}
            </ul>
          )}
          <ShowMore of={list} errorTitle="More reviews could not be loaded" />
        </div>
      ) : list.error ? (
        <LoadError title="The reviews could not be loaded" error={list.error} retry={list.retry} />
      ) : (
        <Loading label="Loading reviews">
          <Skeleton className="h-24 w-full" />
        </Loading>
      )}
    </section>
  )
}

function ReviewItem({ review: { rating, text, author, authorRole, createdAt } }: { review: Review }) {
  return (
    <li className="py-4">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Stars rating={rating} />
        <span className="text-sm text-ink-soft">
          {fullName(author)}, {authorRole}, <time dateTime={createdAt}>{formatDate(new Date(createdAt))}</time>
        </span>
      </p>
      {text && <p className="mt-2 max-w-text typed">{text}</p>}
    </li>
  )
}
