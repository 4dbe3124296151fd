import { lazy, Suspense, useEffect, useRef } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router-dom'
import { LeaveQuestion } from '../../components/leave-question.js'
import { LiveSign } from '../../components/live-sign.js'
import { useIdle } from '../../lib/when-idle.js'
import { Footer } from './footer.js'
import { NavBar } from './nav-bar.js'

const MAIN_ID = 'main'

// Whether an account is shown does not depend on it, so the page goes on when its code does not come.
const SignOutNotice = lazy(() => import('./sign-out-notice.js'))

/** What stands around every page. */
export function Shell() {
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
      <ErrorBoundary fallback={null} onError={error => console.error(error)}>
        <Suspense>{isIdle && <SignOutNotice />}</Suspense>
      </ErrorBoundary>
      <Main />
      <Footer />
      <LeaveQuestion />
      <ScrollRestoration />
    </div>
  )
}

/** A thin line at the top of the page while the next page loads. */
function Progress() {
  if (useNavigation().state === 'idle') return null
  return <div aria-hidden="true" className="fixed inset-x-0 top-0 z-60 h-0.5 animate-breathe bg-ink" />
}

function Main() {
  const { pathname, hash, key } = useLocation()
  const main = useRef<HTMLElement>(null)
  const shown = useRef({ pathname, key })
  // After a navigation the section that the address names gets the focus, if it can take it (`tabIndex={-1}`), and the new page otherwise.
  // Without this, a keyboard or a screen reader would go on from the link of the page before.
  useEffect(() => {
    const before = shown.current
    shown.current = { pathname, key }
    if (before.key === key) return
    const section = document.getElementById(hash.slice(1))
    section?.focus({ preventScroll: true })
    const hasFocus = section !== null && document.activeElement === section
    if (!hasFocus && before.pathname !== pathname) main.current?.focus({ preventScroll: true })
  }, [pathname, hash, key])
  return (
    // It fills the window below the bar. So the footer stays below the first screen while a page loads.
    <main ref={main} id={MAIN_ID} tabIndex={-1} className="min-h-[calc(100dvh-4rem)] flex-1 pb-20">
      <Outlet />
    </main>
  )
}
