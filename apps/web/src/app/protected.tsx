import { Fragment, type ReactNode, Suspense, useRef } from 'react'
import { LoadError } from '../components/load-error.js'
import { Loading, Skeleton } from '../components/skeleton.js'
import { useSession } from '../lib/current-user.js'
import { loadedAhead } from '../lib/loaded-ahead.js'

/** What a visitor sees in place of a page for signed-in people. */
export const AuthScreen = loadedAhead(async () => ({
  default: (await import('../features/auth/auth-screen.js')).AuthScreen,
}))

/** What some routes say above the sign-in screen. */
export interface SignedOutWords {
  readonly title: string
  readonly text?: string
}

/** Shows its page to a signed-in user, and the sign-in screen to everybody else. */
export function Protected({ signedOut, children }: { signedOut?: SignedOutWords | undefined; children: ReactNode }) {
  const { user, error, retry } = useSession()
  const hadUser = useRef(false)
  if (user) {
    hadUser.current = true
    // The account may change in another tab. What one person typed must not be there for the next one, who could send it.
    return <Fragment key={user.id}>{children}</Fragment>
  }
  if (user === null) {
    return (
      <Suspense>
        <AuthScreen sessionEnded={hadUser.current} words={signedOut} />
      </Suspense>
    )
  }
  return (
    <div className="page py-10">
      {error ? (
        <LoadError page title="We could not find out whether you are signed in" error={error} retry={retry} />
      ) : (
        <Loading label="Loading...">
          <Skeleton className="h-10 w-64" />
          <Skeleton className="mt-6 h-48 w-full" />
        </Loading>
      )}
    </div>
  )
}
