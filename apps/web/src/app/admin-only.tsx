import { lazy, type ReactNode, Suspense } from 'react'
import type { RouteObject } from 'react-router-dom'
import { LoadError } from '../components/load-error.js'
import { useNeedsSecondFactor } from '../lib/admin-second-factor.js'
import { isKnownVisitor, useSession } from '../lib/current-user.js'
import { NotFoundPage } from './not-found-page.js'

// Only admins who have no second factor yet load it.
const AdminSetUp = lazy(() => import('../features/security/admin-set-up.js'))

const loadFrame = () => import('../features/admin/console-frame.js')

/** The layout of the operator's console. */
export const forAdmins = (children: RouteObject[]): RouteObject => ({
  lazy: async () => {
    const ConsoleFrame = isKnownVisitor() ? lazy(loadFrame) : (await loadFrame()).default
    return {
      element: (
        <AdminOnly>
          <ConsoleFrame />
        </AdminOnly>
      ),
    }
  },
  children,
})

/**
 * Shows its page to an admin, and the 404 page to everybody else, so that a stranger does not learn that it exists. An admin whom the
 * server refuses for the lack of a second factor sets one up first.
 */
export function AdminOnly({ children }: { children: ReactNode }) {
  const { user, error, retry } = useSession()
  const needsSecondFactor = useNeedsSecondFactor()
  if (user?.role === 'admin') return <Suspense>{needsSecondFactor ? <AdminSetUp /> : children}</Suspense>
  if (user !== undefined) return <NotFoundPage />
  return (
    error && (
      <div className="page py-10">
        <LoadError page title="We could not find out whether you are signed in" error={error} retry={retry} />
      </div>
    )
  )
}
