import { findPage } from '@holdfast/contracts/find-page'
import { type Page, pages, readId } from '@holdfast/contracts/pages'
import type { ComponentType, ReactElement } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Route, Switch, useParams } from 'wouter'
import { isKnownVisitor } from '../lib/current-user.js'
import { loadedAhead } from '../lib/loaded-ahead.js'
import { Redirect, useLocation } from '../lib/navigation.js'
import { paths } from '../lib/paths.js'
import { AdminOnly } from './admin-only.js'
import { NotFoundPage } from './not-found-page.js'
import { AuthScreen, Protected, type SignedOutWords } from './protected.js'
import { RouteError } from './route-error.js'

type Load = () => Promise<{ default: ComponentType }>

/** The component of each page. */
const components = new Map<Page, ReturnType<typeof loadedAhead>>()

/**
 * Loads the code of what the address shows, if there is a page. A visitor sees the sign-in screen in place of a page of a user.
 * Without this React first renders the fallback of the page, and then keeps it for at least 0.3 s.
 */
export async function loadPage(pathname: string): Promise<void> {
  const page = findPage(pathname)?.page
  if (!page) return
  if (page.access === 'admin' && isKnownVisitor()) return
  await (page.access === 'user' && isKnownVisitor() ? AuthScreen : components.get(page))?.load()
}

/**
 * A page of the table, whose code is loaded when it is opened. A page for signed-in people shows the sign-in screen to
 * everybody else, with these words; one for admins shows them the 404 page.
 */
function screen(page: Page, load: Load, signedOut?: SignedOutWords): ReactElement {
  const { path, access } = page
  const Component = loadedAhead(load)
  components.set(page, Component)
  return (
    <Route key={path} path={path}>
      {access === 'public' && <Component />}
      {access === 'user' && (
        <Protected signedOut={signedOut}>
          <Component />
        </Protected>
      )}
      {access === 'admin' && (
        <AdminOnly>
          <Component />
        </AdminOnly>
      )}
    </Route>
  )
}

/** The pages of the operator’s console but the dispute queue, which mediators use most. */
const CONSOLE_PAGES = Object.values(pages).filter(page => page.access === 'admin' && page !== pages.adminDisputes)
// One file has the whole console, so that an operator goes from page to page without waiting.
const loadConsole: Load = () => import('../features/admin/console-page.js')

const screens = [
  screen(pages.home, () => import('../features/landing/landing-page.js')),
  screen(pages.auth, () => import('../features/auth/auth-page.js')),
  screen(pages.forgotPassword, () => import('../features/auth/forgot-password-page.js')),
  screen(pages.resetPassword, () => import('../features/auth/reset-password-page.js')),
  screen(pages.providerSignIn, () => import('../features/auth/provider-sign-in-page.js')),
  screen(pages.confirmEmail, () => import('../features/auth/confirm-email-page.js')),
  screen(pages.confirmPayoutAccount, () => import('../features/auth/confirm-payout-account-page.js')),
  screen(pages.browse, () => import('../features/listings/browse-page.js')),
  screen(pages.listing, () => import('../features/listings/listing-page.js')),
  screen(pages.seller, () => import('../features/listings/seller-page.js')),
  screen(pages.invitation, () => import('../features/invitation/invitation-page.js')),
  screen(pages.platform, () => import('../features/company/platform-page.js')),
  screen(pages.support, () => import('../features/company/support-page.js')),
  screen(pages.legal, () => import('../features/company/legal-page.js')),
  screen(pages.disputeResolution, () => import('../features/disputes/dispute-resolution-page.js')),
  screen(pages.enterprise, () => import('../features/plans/enterprise-page.js')),
  screen(pages.upgrade, () => import('../features/plans/upgrade-page.js')),
  screen(pages.subscribe, () => import('../features/plans/subscribe-page.js')),
  screen(pages.createListing, () => import('../features/create-listing/create-listing-page.js'), {
    title: 'Sign In Required',
    text: 'Please sign in to start a transaction.',
  }),
  screen(pages.dashboard, () => import('../features/dashboard/dashboard-page.js')),
  screen(pages.transaction, () => import('../features/deal/deal-page.js')),
  screen(pages.statement, () => import('../features/deal/statement-page.js')),
  screen(pages.sendFunds, () => import('../features/payment/send-funds-page.js')),
  screen(pages.itemShipped, () => import('../features/shipping/item-shipped-page.js')),
  <Route key={pages.checkout.path} path={pages.checkout.path} component={CheckoutRedirect} />,
  screen(pages.profile, () => import('../features/profile/profile-page.js'), {
    title: 'Please sign in to view your profile.',
  }),
  screen(pages.invoice, () => import('../features/profile/invoice-page.js')),
  screen(pages.paymentReceipt, () => import('../features/receipts/payment-receipt-page.js')),
  screen(pages.payoutReceipt, () => import('../features/profile/payout-receipt-page.js')),
  screen(pages.closeAccount, () => import('../features/profile/close-account-page.js')),
  screen(pages.verification, () => import('../features/profile/verification-page.js')),
  screen(pages.messages, () => import('../features/messages/messages-page.js')),
  screen(pages.disputes, () => import('../features/disputes/disputes-page.js'), {
    title: 'Please sign in to view your disputes.',
  }),
  screen(pages.dispute, () => import('../features/disputes/case/case-page.js')),
  screen(pages.fileDispute, () => import('../features/disputes/file-dispute-page.js')),
  screen(pages.adminDisputes, () => import('../features/disputes/queue/queue-page.js')),
  ...CONSOLE_PAGES.map(page => screen(page, loadConsole)),
  <Route key="*" component={NotFoundPage} />,
]

/** The page of the current address. A page that breaks is replaced by an explanation until another page is opened. */
export function CurrentPage() {
  const { path } = useLocation()
  return (
    <ErrorBoundary FallbackComponent={RouteError} resetKeys={[path]}>
      <Switch>{screens}</Switch>
    </ErrorBoundary>
  )
}

/** /checkout/{id} is the old name of the payment page. */
function CheckoutRedirect() {
  const id = readId(useParams().id)
  if (id === null) return <NotFoundPage />
  return (
    <Protected>
      <Redirect to={paths.sendFunds(id)} />
    </Protected>
  )
}
