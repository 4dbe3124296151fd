import type { ComponentType } from 'react'
import { createBrowserRouter, Navigate, type RouteObject, useParams } from 'react-router-dom'
import { paths, readId } from '../lib/paths.js'
import { NotFoundPage } from './not-found-page.js'
import { Protected, type SignedOutWords } from './protected.js'
import { RouteError } from './route-error.js'
import { Shell } from './shell/shell.js'
import { StartupSpinner } from './startup-gate.js'

type Page = () => Promise<{ default: ComponentType }>

/** A page that is loaded when somebody goes there. */
const page = (path: string, load: Page): RouteObject => ({
  path,
  lazy: async () => ({ Component: (await load()).default }),
})

/** The same for signed-in people; everybody else sees the sign-in screen in its place. */
const protectedPage = (path: string, load: Page, signedOut?: SignedOutWords): RouteObject => ({
  path,
  lazy: async () => {
    const { default: Component } = await load()
    return {
      element: (
        <Protected {...(signedOut ? { signedOut } : {})}>
          <Component />
        </Protected>
      ),
    }
  },
})

export const router = createBrowserRouter([
  {
    Component: Shell,
    HydrateFallback: StartupSpinner,
    // Errors of a page show inside the shell; those of the shell itself stand alone.
    ErrorBoundary: RouteError,
    children: [
      {
        ErrorBoundary: RouteError,
        children: [
          page('/', () => import('../features/landing/landing-page.js')),
          page('/auth', () => import('../features/auth/auth-page.js')),
          page('/browse', () => import('../features/listings/browse-page.js')),
          page('/listing/:id', () => import('../features/listings/listing-page.js')),
          page('/invitation/:token', () => import('../features/invitation/invitation-page.js')),
          page('/platform', () => import('../features/company/platform-page.js')),
          page('/support', () => import('../features/company/support-page.js')),
          page('/legal', () => import('../features/company/legal-page.js')),
          page('/dispute-resolution', () => import('../features/disputes/dispute-resolution-page.js')),
          page('/enterprise', () => import('../features/plans/enterprise-page.js')),
          protectedPage('/upgrade', () => import('../features/plans/upgrade-page.js')),
          protectedPage('/subscribe', () => import('../features/plans/subscribe-page.js')),
          protectedPage('/create-listing', () => import('../features/create-listing/create-listing-page.js'), {
            title: 'Sign In Required',
            text: 'Please sign in to start a transaction.',
          }),
          protectedPage('/dashboard', () => import('../features/dashboard/dashboard-page.js')),
          protectedPage('/transaction/:id', () => import('../features/deal/deal-page.js')),
          protectedPage('/send-funds/:id', () => import('../features/payment/send-funds-page.js')),
          protectedPage('/item-shipped/:id', () => import('../features/shipping/item-shipped-page.js')),
          { path: '/checkout/:id', element: <CheckoutRedirect /> },
          protectedPage('/profile', () => import('../features/profile/profile-page.js'), {
            title: 'Please sign in to view your profile.',
          }),
          protectedPage('/verification', () => import('../features/profile/verification-page.js')),
          protectedPage('/messages', () => import('../features/messages/messages-page.js')),
          protectedPage('/disputes', () => import('../features/disputes/disputes-page.js'), {
            title: 'Please sign in to view your disputes.',
          }),
          protectedPage('/file-dispute', () => import('../features/disputes/file-dispute-page.js')),
          { path: '*', Component: NotFoundPage },
        ],
      },
    ],
  },
])

/** /checkout/{id} is the old name of the payment page. */
function CheckoutRedirect() {
  const id = readId(useParams().id)
  if (id === null) return <NotFoundPage />
  return (
    <Protected>
      <Navigate to={paths.sendFunds(id)} replace />
    </Protected>
  )
}
