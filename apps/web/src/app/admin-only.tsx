import type { ReactNode } from 'react'
import { LoadError } from '../components/load-error.js'
import { useSession } from '../lib/current-user.js'
import { NotFoundPage } from './not-found-page.js'

/** Shows its page to an admin, and the 404 page to everybody else, so that a stranger does not learn that it exists. */
export function AdminOnly({ children }: { children: ReactNode }) {
  const { user, error, retry } = useSession()
  if (user?.role === 'admin') return children
  if (user !== undefined) return <NotFoundPage />
  return (
    error && (
      <div className="page py-10">
        <LoadError page title="We could not find out whether you are signed in" error={error} retry={retry} />
      </div>
    )
  )
}
