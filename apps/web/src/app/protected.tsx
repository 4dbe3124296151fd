import { type ComponentType, lazy, type ReactNode, Suspense, useRef } from 'react'
import { Outlet, type RouteObject, useLocation, useMatches } from 'react-router-dom'
import { LoadError } from '../components/load-error.js'
import { Loading, Skeleton } from '../components/skeleton.js'
import { isKnownVisitor, useSession } from '../lib/current-user.js'

/** What stands above the sign-in screen at the address of a route. It is the `handle` of that route. */
export interface SignedOutWords {
  readonly title: string
  readonly text?: string
}

const loadAuthScreen = () => import('../features/auth/auth-screen.js')
const AuthScreenLater = lazy(loadAuthScreen)

/** The layout of pages for signed-in people. Everybody else sees the sign-in screen at their addresses. */
export const forUsers = (children: RouteObject[]): RouteObject => ({
  // A visitor sees the sign-in screen first. For everybody else its code is loaded when a session ends.
  lazy: async () => {
    const AuthScreen = isKnownVisitor() ? (await loadAuthScreen()).default : AuthScreenLater
    return { element: <Protected AuthScreen={AuthScreen} /> }
  },
  children,
})

interface ProtectedProps {
  AuthScreen?: ComponentType<{ sessionEnded?: boolean; words?: SignedOutWords | undefined }>
  children?: ReactNode
}

/** Shows its page to a signed-in user, and the sign-in screen to everybody else. */
export function Protected({ AuthScreen = AuthScreenLater, children = <Outlet /> }: ProtectedProps) {
  const { user, error, retry } = useSession()
  const { pathname } = useLocation()
  const words = useMatches().at(-1)?.handle as SignedOutWords | undefined
  /** The page that a signed-in user saw. */
  const seen = useRef<string>(null)
  if (user) {
    seen.current = pathname
    // The account may change in another tab. What one person typed must not be there for the next one, who could send it.
    return <Suspense key={user.id}>{children}</Suspense>
  }
  if (user === null) {
    return (
      <Suspense>
        <AuthScreen key={pathname} sessionEnded={seen.current === pathname} words={words} />
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
