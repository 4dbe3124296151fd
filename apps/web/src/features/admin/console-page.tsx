import { findPage } from '@holdfast/contracts/find-page'
import { type Page, pages } from '@holdfast/contracts/pages'
import { type ComponentType, lazy, Suspense } from 'react'
import { useLocation } from '../../lib/navigation.js'
import { Approvals } from './approvals.js'
import { LoadingList } from './loading-list.js'
import { Overview } from './overview.js'
import { Payouts } from './payouts.js'
import { Refunds } from './refunds.js'
import { Stuck } from './stuck.js'

// These are loaded when they are opened: with them the console's file would be larger than a page may be.
const Audit = lazy(async () => ({ default: (await import('./audit.js')).Audit }))
const DeadLetters = lazy(async () => ({ default: (await import('./dead-letters.js')).DeadLetters }))
const Enquiries = lazy(async () => ({ default: (await import('./enquiries.js')).Enquiries }))
const Ledger = lazy(async () => ({ default: (await import('./ledger.js')).Ledger }))
const ProviderEvents = lazy(async () => ({ default: (await import('./provider-events.js')).ProviderEvents }))
const Users = lazy(async () => ({ default: (await import('./users.js')).Users }))
const Verifications = lazy(async () => ({ default: (await import('./verifications.js')).Verifications }))

const SCREENS = new Map<Page | undefined, ComponentType>([
  [pages.admin, Overview],
  [pages.adminApprovals, Approvals],
  [pages.adminRefunds, Refunds],
  [pages.adminPayouts, Payouts],
  [pages.adminStuck, Stuck],
  [pages.adminDeadLetters, DeadLetters],
  [pages.adminProviderEvents, ProviderEvents],
  [pages.adminLedger, Ledger],
  [pages.adminUsers, Users],
  [pages.adminVerifications, Verifications],
  [pages.adminEnquiries, Enquiries],
  [pages.adminAudit, Audit],
])

/** The operator's console: the page of the address. */
export default function ConsolePage() {
  const { path } = useLocation()
  const Screen = SCREENS.get(findPage(path)?.page)
  return (
    Screen && (
      <Suspense fallback={<LoadingList label="Loading the page" />}>
        <Screen />
      </Suspense>
    )
  )
}
