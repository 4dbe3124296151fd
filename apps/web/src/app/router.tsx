import { type Page, pages, readId } from '@holdfast/contracts/pages'
import { type ComponentType, lazy } from 'react'
import { createBrowserRouter, Navigate, type RouteObject, useParams } from 'react-router-dom'
import { isKnownVisitor } from '../lib/current-user.js'
import { paths } from '../lib/paths.js'
import { forAdmins } from './admin-only.js'
import { readBrowse, readDashboard, readListing, readTransaction } from './first-reads.js'
import { NotFoundPage } from './not-found-page.js'
import { forUsers, type SignedOutWords } from './protected.js'
import { RouteError } from './route-error.js'
import { Shell } from './shell/shell.js'
import { StartupSpinner } from './startup-gate.js'

type Load = () => Promise<{ default: ComponentType }>

/**
 * A page of the table. Its code is loaded before it is shown, and until then the page before stays. A visitor sees another screen in place of
 * a page for users or admins, so then the code is loaded when the page itself is shown.
 */
function page(
  { path, access }: Page,
  load: Load,
  more: Pick<RouteObject, 'loader'> & { handle?: SignedOutWords } = {},
) {
  const isHidden = () => access !== 'public' && isKnownVisitor()
  return {
    path,
    lazy: async () => ({ Component: isHidden() ? lazy(load) : (await load()).default }),
    ...more,
  } satisfies RouteObject
}

const forEverybody = [
  page(pages.home, () => import('../features/landing/home-page.js')),
  page(pages.auth, () => import('../features/auth/auth-page.js')),
  page(pages.forgotPassword, () => import('../features/auth/forgot-password-page.js')),
  page(pages.resetPassword, () => import('../features/auth/reset-password-page.js')),
  page(pages.providerSignIn, () => import('../features/auth/provider-sign-in-page.js')),
  page(pages.browse, () => import('../features/listings/browse-page.js'), { loader: readBrowse }),
  page(pages.listing, () => import('../features/listings/listing-page.js'), { loader: readListing }),
  page(pages.seller, () => import('../features/listings/seller-page.js')),
  page(pages.invitation, () => import('../features/invitation/invitation-page.js')),
  page(pages.platform, () => import('../features/company/platform-page.js')),
  page(pages.support, () => import('../features/company/support-page.js')),
  page(pages.legal, () => import('../features/company/legal-page.js')),
  page(pages.disputeResolution, () => import('../features/disputes/dispute-resolution-page.js')),
  page(pages.enterprise, () => import('../features/plans/enterprise-page.js')),
]

const ofUsers = [
  page(pages.confirmEmail, () => import('../features/auth/confirm-email-page.js')),
  page(pages.confirmPayoutAccount, () => import('../features/auth/confirm-payout-account-page.js')),
  page(pages.upgrade, () => import('../features/plans/upgrade-page.js')),
  page(pages.subscribe, () => import('../features/plans/subscribe-page.js')),
  page(pages.createListing, () => import('../features/create-listing/create-listing-page.js'), {
    handle: { title: 'Sign In Required', text: 'Please sign in to start a transaction.' },
  }),
  page(pages.dashboard, () => import('../features/dashboard/dashboard-page.js'), { loader: readDashboard }),
  page(pages.transaction, () => import('../features/deal/transaction-page.js'), { loader: readTransaction }),
  page(pages.statement, () => import('../features/deal/statement-page.js'), { loader: readTransaction }),
  page(pages.sendFunds, () => import('../features/payment/send-funds-page.js'), { loader: readTransaction }),
  page(pages.itemShipped, () => import('../features/shipping/item-shipped-page.js'), { loader: readTransaction }),
  { path: pages.checkout.path, Component: CheckoutRedirect },
  page(pages.profile, () => import('../features/profile/profile-page.js'), {
    handle: { title: 'Please sign in to view your profile.' },
  }),
  page(pages.invoice, () => import('../features/profile/invoice-page.js')),
  page(pages.paymentReceipt, () => import('../features/receipts/payment-receipt-page.js')),
  page(pages.payoutReceipt, () => import('../features/profile/payout-receipt-page.js')),
  page(pages.closeAccount, () => import('../features/profile/close-account-page.js')),
  page(pages.verification, () => import('../features/profile/verification-page.js')),
  page(pages.messages, () => import('../features/messages/messages-page.js')),
  page(pages.disputes, () => import('../features/disputes/disputes-page.js'), {
    handle: { title: 'Please sign in to view your disputes.' },
  }),
  page(pages.dispute, () => import('../features/disputes/case/dispute-page.js')),
  page(pages.fileDispute, () => import('../features/disputes/file-dispute-page.js')),
]

const ofConsole = [
  page(pages.admin, () => import('../features/admin/admin-page.js')),
  page(pages.adminDisputes, () => import('../features/disputes/queue/admin-disputes-page.js')),
  page(pages.adminApprovals, () => import('../features/admin/admin-approvals-page.js')),
  page(pages.adminRefunds, () => import('../features/admin/admin-refunds-page.js')),
  page(pages.adminPayouts, () => import('../features/admin/admin-payouts-page.js')),
  page(pages.adminStuck, () => import('../features/admin/admin-stuck-page.js')),
  page(pages.adminDeadLetters, () => import('../features/admin/admin-dead-letters-page.js')),
  page(pages.adminProviderEvents, () => import('../features/admin/admin-provider-events-page.js')),
  page(pages.adminLedger, () => import('../features/admin/admin-ledger-page.js')),
  page(pages.adminUsers, () => import('../features/admin/admin-users-page.js')),
  page(pages.adminVerifications, () => import('../features/admin/admin-verifications-page.js')),
  page(pages.adminEnquiries, () => import('../features/admin/admin-enquiries-page.js')),
  page(pages.adminAudit, () => import('../features/admin/admin-audit-page.js')),
]

/** An error of these pages is explained in place of the page. What stands around it stays. */
const explained = (children: RouteObject[]): RouteObject => ({ errorElement: <RouteError />, children })

/** The operator's console: its frame, and its pages in it. */
export const consoleRoutes = forAdmins([explained(ofConsole)])

/** Every address of the web app. The gateway answers by the same table of pages (`libs/contracts/src/pages.ts`). */
export const routes: RouteObject[] = [
  {
    Component: Shell,
    HydrateFallback: StartupSpinner,
    errorElement: <RouteError />,
    children: [explained([...forEverybody, forUsers(ofUsers), consoleRoutes, { path: '*', Component: NotFoundPage }])],
  },
]

/** Begins to load the page of the address. */
export function createRouter() {
  // React Router gives every page that is loaded anew the same key, and would scroll one to where another was left. The key is a time, because
  // browsers have `crypto.randomUUID` only for pages that come by HTTPS.
  if (!window.history.state) window.history.replaceState({ key: String(Date.now()) }, '')
  return createBrowserRouter(routes)
}

/** /checkout/{id} is the old name of the payment page. */
function CheckoutRedirect() {
  const id = readId(useParams().id)
  return id === null ? <NotFoundPage /> : <Navigate replace to={paths.sendFunds(id)} />
}
