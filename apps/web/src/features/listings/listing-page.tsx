import { routes } from 'virtual:routes'
import type { Listing } from '@holdfast/contracts/listings'
import { inspectionTerm, RETURN_POLICY_LABELS } from '@holdfast/kernel/listings'
import { useParams } from 'react-router-dom'
import { ButtonLink } from '../../components/button.js'
import { Facts } from '../../components/facts.js'
import { Gallery } from '../../components/gallery.js'
import { LoadError } from '../../components/load-error.js'
import { PageHeader } from '../../components/page-header.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { isStatus } from '../../lib/api.js'
import { paths, readId } from '../../lib/paths.js'
import { formatDate } from '../../lib/time.js'
import { useCall } from '../../lib/use-call.js'
import { useTitle } from '../../lib/use-title.js'
import { PurchasePanel } from './purchase-panel.js'
import { ListingBadge } from './shared/listing-badge.js'

export default function ListingPage() {
  const id = readId(useParams().id)
  const { data, error, mutate } = useCall(routes.getListing, id === null ? null : { params: { id: String(id) } })
  if (id === null || isStatus(error, 404)) return <ListingNotFound />
  if (data) return <ListingDetail listing={data} />
  return (
    <div className="page pt-10">
      {error ? (
        <LoadError page title="The listing could not be loaded" error={error} retry={() => void mutate()} />
      ) : (
        <ListingSkeleton />
      )}
    </div>
  )
}

const BACK = { to: paths.browse, label: 'Browse Items' }

function ListingDetail({ listing }: { listing: Listing }) {
  useTitle(listing.title)
  return (
    <div className="page">
      <PageHeader title={listing.title} back={BACK} mark={<ListingBadge status={listing.status} />} />
      <div className="grid gap-10 lg:grid-cols-[1fr_24rem] lg:gap-14">
        <div className="min-w-0">
          <Gallery images={listing.images} title={listing.title} />
        </div>
        <aside aria-label="Purchase" className="lg:row-span-2">
          <div className="lg:sticky lg:top-6">
            <PurchasePanel listing={listing} />
          </div>
        </aside>
        <div className="min-w-0">
          <h2 className="display text-xl">Description</h2>
          <p className="mt-3 max-w-prose typed">{listing.description}</p>
          <h2 className="display mt-10 mb-3 text-xl">Details</h2>
          <Facts facts={factsOf(listing)} />
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
  useTitle('Listing Not Found')
  return (
    <div className="page py-16 sm:py-24">
      <h1 className="display text-3xl">Listing Not Found</h1>
      <p className="mt-3 text-ink-soft">The listing you're looking for doesn't exist.</p>
      <div className="mt-6">
        <ButtonLink to={paths.browse}>Browse Items</ButtonLink>
      </div>
    </div>
  )
}

function ListingSkeleton() {
  return (
    <Loading label="Loading listing">
      <Skeleton className="h-10 w-2/3" />
      <div className="mt-9 grid gap-10 lg:grid-cols-[1fr_24rem] lg:gap-14">
        <Skeleton className="aspect-3/2 w-full rounded-lg" />
        <Skeleton className="h-80 w-full rounded-lg" />
      </div>
    </Loading>
  )
}
