import { routes } from 'virtual:routes'
import type { Listing } from '@holdfast/contracts/listings'
import { LISTING_NOT_FOUND_PAGE, pages, readId } from '@holdfast/contracts/pages'
import { inspectionTerm, RETURN_POLICY_LABELS } from '@holdfast/kernel/listings'
import { lazy, Suspense } from 'react'
import { useParams } from 'react-router-dom'
import { ButtonLink } from '../../components/button.js'
import { Facts } from '../../components/facts.js'
import { Gallery } from '../../components/gallery.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { PageMessage } from '../../components/page-message.js'
import { QueryState } from '../../components/query-state.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { isStatus } from '../../lib/api.js'
import { useSession } from '../../lib/current-user.js'
import { paths } from '../../lib/paths.js'
import { formatDate } from '../../lib/time.js'
import { useCall } from '../../lib/use-call.js'
import { PurchasePanel } from './purchase-panel.js'
import { ListingBadge } from './shared/listing-badge.js'

// Only the owner of a private listing needs this code, with its form.
const Invitations = lazy(() => import('./invitations.js'))

export default function ListingPage() {
  const id = readId(useParams().id)
  const query = useCall(routes.getListing, id === null ? null : { params: { id: String(id) } })
  if (id === null || isStatus(query.error, 404)) return <ListingNotFound />
  if (query.data) return <ListingDetail listing={query.data} />
  return (
    <div className="page pt-10">
      <PageHead page={pages.listing} />
      <QueryState query={query} errorTitle="The listing could not be loaded" loading={<ListingSkeleton />} page>
        {listing => <ListingDetail listing={listing} />}
      </QueryState>
    </div>
  )
}

/** As wide as the page, or the width beside the panel. */
const PICTURE_SIZES = '(min-width: 72rem) 41rem, (min-width: 64rem) 52vw, calc(100vw - 2rem)'

const BACK = { to: paths.browse, label: 'Browse Items' }

function ListingDetail({ listing }: { listing: Listing }) {
  const { user } = useSession()
  const isInviting = listing.isPrivate && listing.status === 'active' && user?.id === listing.sellerId
  return (
    <div className="page">
      <PageHead page={pages.listing} title={listing.title} />
      <PageHeader title={listing.title} back={BACK} mark={<ListingBadge status={listing.status} />} />
      <div className="grid grid-cols-1 gap-10 lg:grid-cols-[1fr_24rem] lg:gap-14">
        <div className="min-w-0">
          <Gallery images={listing.images} title={listing.title} sizes={PICTURE_SIZES} />
        </div>
        <aside aria-label="Purchase" className="lg:row-span-2">
          <div className="lg:sticky lg:top-6">
            <PurchasePanel listing={listing} />
          </div>
        </aside>
        <div className="min-w-0">
          <h2 className="display text-xl">Description</h2>
          <p className="mt-3 max-w-text typed">{listing.description}</p>
          <h2 className="display mt-10 mb-3 text-xl">Details</h2>
          <Facts facts={factsOf(listing)} />
          {isInviting && (
            <Suspense fallback={<Skeleton className="mt-10 h-40 w-full rounded-md" />}>
              <Invitations listing={listing} />
            </Suspense>
          )}
        </div>
      </div>
    </div>
  )
}

function factsOf(listing: Listing) {
  return [
    { label: 'Category', value: listing.category },
    { label: 'Condition', value: listing.condition },
    { label: 'Location', value: listing.location ?? 'Not specified' },
    { label: 'Listed', value: <time dateTime={listing.createdAt}>{formatDate(new Date(listing.createdAt))}</time> },
    {
      label: 'Inspection period',
      value: inspectionTerm(listing.inspectionPeriod),
    },
    { label: 'Returns', value: RETURN_POLICY_LABELS[listing.returnPolicy] },
  ]
}

function ListingNotFound() {
  return (
    <PageMessage title={LISTING_NOT_FOUND_PAGE.title} actions={<ButtonLink to={paths.browse}>Browse Items</ButtonLink>}>
      {LISTING_NOT_FOUND_PAGE.description}
    </PageMessage>
  )
}

function ListingSkeleton() {
  return (
    <Loading label="Loading listing" page>
      <Skeleton className="h-10 w-2/3" />
      <div className="mt-9 grid gap-10 lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-14">
        <Skeleton className="aspect-3/2 w-full rounded-lg" />
        <Skeleton className="h-80 w-full rounded-lg" />
      </div>
    </Loading>
  )
}
