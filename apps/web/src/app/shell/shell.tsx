import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { LiveSign } from '../../components/live-sign.js'
import { useLocation, useNavigation } from '../../lib/navigation.js'
import { useIdle } from '../../lib/when-idle.js'
import { Footer } from './footer.js'
import { NavBar } from './nav-bar.js'

const MAIN_ID = 'main'

const SignOutNotice = lazy(async () => ({ default: (await import('./sign-out-notice.js')).SignOutNotice }))

/** What stands around every page. */
export function Shell({ children }: { children: ReactNode }) {
  const isIdle = useIdle()
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href={`#${MAIN_ID}`}
        className="sr-only rounded-md bg-ink px-4 py-3 font-semibold text-on-ink focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-60"
      >
        Skip to content
      </a>
      <Progress />
      <NavBar />
      <LiveSign />
      <MayBeMissing>{isIdle && <SignOutNotice />}</MayBeMissing>
      <Main>{children}</Main>
      <Footer />
    </div>
  )
}

/** When the code of a part does not come, the page goes on without it. Whether an account is shown does not depend on such a part. */
function MayBeMissing({ children }: { children: ReactNode }) {
  return (
    <ErrorBoundary FallbackComponent={Nothing} onError={error => console.error(error)}>
      <Suspense>{children}</Suspense>
    </ErrorBoundary>
  )
}

const Nothing = () => null

/** A thin line at the top of the page while the next page loads. */
function Progress() {
  if (!useNavigation().isLoading) return null
  return <div aria-hidden="true" className="fixed inset-x-0 top-0 z-60 h-0.5 animate-breathe bg-ink" />
}

function Main({ children }: { children: ReactNode }) {
  const { path, hash } = useLocation()
  const main = useRef<HTMLElement>(null)
  const first = useRef(true)
  // After a navigation the focus begins at the new page, so that a keyboard or a screen reader does not stay behind.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path is the reason to run
  useEffect(() => {
    if (first.current) first.current = false
    else if (!hash) main.current?.focus({ preventScroll: true })
  }, [path])
  return (
    // It fills the window below the bar. So the footer stays below the first screen while a page loads.
    <main ref={main} id={MAIN_ID} tabIndex={-1} className="min-h-[calc(100dvh-4rem)] flex-1 pb-20">
      {children}
    </main>
  )
}
