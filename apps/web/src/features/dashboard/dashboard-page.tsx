import { pages } from '@holdfast/contracts/pages'
import { lazy, type ReactNode, Suspense } from 'react'
import { useAddressTab } from '../../components/address-tabs.js'
import { Button, ButtonLink } from '../../components/button.js'
import { StaleNote } from '../../components/live-sign.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { Tabs } from '../../components/tabs.js'
import { loadFailure } from '../../lib/api.js'
import { fullName, useSignedInUser } from '../../lib/current-user.js'
import { paths } from '../../lib/paths.js'
import { ConfirmEmailBanner } from '../auth/shared/confirm-email-banner.js'
import { type DealsQuery, useDealPages } from '../deal/shared/deal-pages.js'
import { RUNNING } from './dashboard.view.js'
import { DealRowSkeleton } from './deal-row.js'
import { OverviewTab } from './overview-tab.js'

// The page opens with the overview. The lists have a search and filters.
const SellingTab = lazy(() => import('./selling-tab.js'))
const BuyingTab = lazy(() => import('./buying-tab.js'))

const TABS = ['overview', 'selling', 'buying'] as const
type Tab = (typeof TABS)[number]

/** What each tab shows first. Until it is there the page is a skeleton, and without it the page is an error. */
const FIRST: Record<Tab, DealsQuery> = { overview: RUNNING.both, selling: RUNNING.seller, buying: RUNNING.buyer }

export default function DashboardPage() {
  const user = useSignedInUser()
  const [tab, setTab] = useAddressTab(TABS)
  const { items, error, retry } = useDealPages(FIRST[tab])
  if (!items && error) return <DashboardError error={error} retry={retry} />
  const shown = (content: ReactNode) =>
    items ? <Suspense fallback={<DashboardSkeleton />}>{content}</Suspense> : <DashboardSkeleton />
  return (
    <div className="page">
      <PageHead page={pages.dashboard} />
      <PageHeader
        title={fullName(user)}
        lead="Where your money is, and what waits for you."
        mark={<StaleNote />}
        actions={
          <ButtonLink to={paths.createListing} kind="quiet">
            Create Listing
          </ButtonLink>
        }
      />
      {!user.emailConfirmed && (
        <div className="mb-7">
          <ConfirmEmailBanner user={user} />
        </div>
      )}
      <Tabs
        label="Dashboard"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'overview', label: 'Overview', content: shown(<OverviewTab />) },
          { value: 'selling', label: 'Selling', content: shown(<SellingTab sellerId={user.id} />) },
          { value: 'buying', label: 'Buying', content: shown(<BuyingTab />) },
        ]}
      />
    </div>
  )
}

function DashboardError({ error, retry }: { error: Error; retry: () => void }) {
  return (
    <div role="alert" className="page py-16">
      <h1 className="display text-2xl">Error Loading Dashboard</h1>
      <p className="mt-3 font-medium text-trouble">{error.message}</p>
      <p className="mt-1 max-w-text text-ink-soft">{loadFailure(error)}</p>
      <Button className="mt-6" onClick={retry}>
        Try Again
      </Button>
    </div>
  )
}

function DashboardSkeleton() {
  return (
    <Loading label="Loading dashboard">
      <Skeleton className="h-24 w-full rounded-lg" />
      <Skeleton className="mt-10 mb-2 h-6 w-48" />
      <DealRowSkeleton />
      <DealRowSkeleton />
      <DealRowSkeleton />
    </Loading>
  )
}
