import type { Transaction } from '@holdfast/contracts/transactions'
import { useSearchParams } from 'react-router-dom'
import { Button, ButtonLink } from '../../components/button.js'
import { PageHeader } from '../../components/page-header.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { Tabs } from '../../components/tabs.js'
import { loadFailure } from '../../lib/api.js'
import { fullName, useSignedInUser } from '../../lib/current-user.js'
import { paths } from '../../lib/paths.js'
import { useTitle } from '../../lib/use-title.js'
import { BuyingTab } from './buying-tab.js'
import { DealRowSkeleton } from './deal-row.js'
import { OverviewTab } from './overview-tab.js'
import { SellingTab } from './selling-tab.js'
import { useMyTransactions } from './use-my-transactions.js'

const TABS = ['overview', 'selling', 'buying'] as const
type Tab = (typeof TABS)[number]

export default function DashboardPage() {
  useTitle('Dashboard')
  const user = useSignedInUser()
  const { data, error, retry, isLoadingMore, loadMore } = useMyTransactions()
  if (!data && error) return <DashboardError error={error} retry={retry} />
  return (
    <div className="page">
      <PageHeader
        title={fullName(user)}
        lead="Where your money is, and what waits for you."
        actions={
          <ButtonLink to={paths.createListing} kind="quiet">
            Create Listing
          </ButtonLink>
        }
      />
      {data ? <DashboardTabs deals={data.deals} userId={user.id} /> : <DashboardSkeleton />}
      {data?.hasMore && (
        <div className="mt-8">
          <Button kind="quiet" busy={isLoadingMore} onClick={loadMore}>
            {isLoadingMore ? 'Loading...' : 'Load Older Transactions'}
          </Button>
        </div>
      )}
    </div>
  )
}

function DashboardTabs({ deals, userId }: { deals: readonly Transaction[]; userId: string }) {
  const [params, setParams] = useSearchParams()
  const asked = params.get('tab')
  const tab: Tab = TABS.find(name => name === asked) ?? 'overview'
  return (
    <Tabs
      label="Dashboard"
      value={tab}
      onChange={next =>
        setParams(next === 'overview' ? {} : { tab: next }, { replace: true, preventScrollReset: true })
      }
      tabs={[
        { value: 'overview', label: 'Overview', content: <OverviewTab deals={deals} /> },
        {
          value: 'selling',
          label: 'Selling',
          content: <SellingTab deals={deals} sellerId={userId} />,
        },
        { value: 'buying', label: 'Buying', content: <BuyingTab deals={deals} /> },
      ]}
    />
  )
}

function DashboardError({ error, retry }: { error: Error; retry: () => void }) {
  return (
    <div role="alert" className="page py-16">
      <h1 className="display text-2xl">Error Loading Dashboard</h1>
      <p className="mt-3 font-medium text-trouble">{error.message}</p>
      <p className="mt-1 max-w-prose text-ink-soft">{loadFailure(error)}</p>
      <Button className="mt-6" onClick={retry}>
        Try Again
      </Button>
    </div>
  )
}

function DashboardSkeleton() {
  return (
    <Loading label="Loading dashboard">
      <Skeleton className="h-11 w-72" />
      <Skeleton className="mt-6 h-24 w-full rounded-lg" />
      <Skeleton className="mt-10 mb-2 h-6 w-48" />
      <DealRowSkeleton />
      <DealRowSkeleton />
      <DealRowSkeleton />
    </Loading>
  )
}
