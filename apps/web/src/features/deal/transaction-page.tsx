import { pages } from '@holdfast/contracts/pages'
import type { Transaction } from '@holdfast/contracts/transactions'
import { isFinished } from '@holdfast/kernel/deals'
import { lazy, Suspense } from 'react'
import { StaleNote } from '../../components/live-sign.js'
import { PageHeader } from '../../components/page-header.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { paths } from '../../lib/paths.js'
import { ActionsCard } from './actions-card.js'
import { PartiesSection } from './parties-section.js'
import { ProgressTracker } from './progress-tracker.js'
import { titleOf } from './shared/deal.js'
import { DealBadge } from './shared/deal-badge.js'
import { DEAL_NOT_FOUND, DealGate } from './shared/deal-gate.js'
import { MoneyLine } from './shared/money-line/money-line.js'
import { RefundNotice } from './shared/refund-notice.js'
import { ShippingInfo } from './shipping-info.js'
import { SummarySection } from './summary-section.js'

// Few deals are disputed.
const RunningCase = lazy(() => import('../disputes/shared/running-case.js'))
// Few deals have a chargeback after they have ended.
const SettledChargeback = lazy(() => import('./settled-chargeback.js'))
// These stand below the first screen. The chat is a large part of the code.
const ChatSection = lazy(() => import('./chat-section.js'))
const ItemDetails = lazy(() => import('./item-details.js'))
const TimelineSection = lazy(() => import('./timeline-section.js'))
const LedgerSection = lazy(() => import('./ledger-section.js'))
const CryptoOfDeal = lazy(() => import('../payment/shared/crypto-of-deal.js'))

// Only a completed deal has reviews.
const ReviewsSection = lazy(() => import('./reviews-section.js'))

export default function DealPage() {
  return (
    <DealGate
      page={pages.transaction}
      title={titleOf}
      errorTitle="The transaction could not be loaded"
      notFound={DEAL_NOT_FOUND}
      loading={<DealSkeleton />}
    >
      {deal => <DealDetail key={deal.id} deal={deal} />}
    </DealGate>
  )
}

function DealDetail({ deal }: { deal: Transaction }) {
  const title = titleOf(deal)
  return (
    <div className="page">
      <PageHeader
        title={title}
        back={{ to: paths.dashboard, label: 'Back to Dashboard' }}
        mark={
          <>
            {/* A screen reader says the new status when it changes. */}
            <span role="status">
              <DealBadge status={deal.status} />
            </span>
            <StaleNote />
          </>
        }
      />
      <div className="grid gap-4">
        <MoneyLine deal={deal} />
        {deal.status === 'disputed' && (
          <Suspense fallback={<Skeleton className="h-11 w-60" />}>
            <RunningCase deal={deal} />
          </Suspense>
        )}
        <RefundNotice deal={deal} />
        {deal.chargeback && (
          <Suspense fallback={<Skeleton className="h-20 w-full" />}>
            <SettledChargeback deal={deal} chargeback={deal.chargeback} />
          </Suspense>
        )}
      </div>
      <div className="mt-8">
        <ProgressTracker deal={deal} />
      </div>
      <div className="mt-10 grid grid-cols-1 gap-10 lg:grid-cols-[1fr_22rem] lg:gap-14">
        <aside aria-label="Actions and parties" className="grid content-start gap-8 lg:order-2">
          <ActionsCard deal={deal} />
          <SummarySection deal={deal} />
          <ShippingInfo deal={deal} />
          <PartiesSection deal={deal} />
        </aside>
        <div className="grid min-w-0 content-start gap-12">
          <Suspense fallback={<ChatSkeleton />}>
            <ChatSection deal={deal} />
          </Suspense>
          {isFinished(deal.status) && (
            <Suspense fallback={<Skeleton className="h-36 w-full" />}>
              <ReviewsSection deal={deal} />
            </Suspense>
          )}
          <Suspense fallback={<Skeleton className="h-72 w-full" />}>
            <ItemDetails deal={deal} />
          </Suspense>

          <Suspense fallback={<Skeleton className="h-36 w-full" />}>
            <LedgerSection transactionId={deal.id} secured={deal.status === 'secured'}>
              {deal.viewerRole === 'buyer' && deal.status !== 'pending' && <CryptoOfDeal transactionId={deal.id} />}
            </LedgerSection>
          </Suspense>
          <Suspense fallback={<Skeleton className="h-36 w-full" />}>
            <TimelineSection deal={deal} />
          </Suspense>
        </div>
      </div>
    </div>
  )
}

const ChatSkeleton = () => <Skeleton className="h-144 w-full rounded-lg" />

function DealSkeleton() {
  return (
    <Loading label="Loading transaction" page>
      <Skeleton className="h-10 w-2/3" />
      <Skeleton className="mt-9 h-44 w-full rounded-lg" />
      <Skeleton className="mt-8 h-16 w-full" />
      <div className="mt-10 grid grid-cols-1 gap-10 lg:grid-cols-[1fr_22rem] lg:gap-14">
        <Skeleton className="h-96 w-full rounded-lg" />
        <Skeleton className="h-72 w-full rounded-lg" />
      </div>
    </Loading>
  )
}
