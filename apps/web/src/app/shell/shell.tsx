import { useEffect, useRef } from 'react'
import { type Location, Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router-dom'
import { LiveSign } from '../../components/live-sign.js'
import { Footer } from './footer.js'
import { NavBar } from './nav-bar.js'

const MAIN_ID = 'main'

/** What stands around every page. */
export function Shell() {
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
      <Main />
      <Footer />
      <ScrollRestoration getKey={scrollKey} />
    </div>
  )
}

// Every address that is opened directly has the key 'default'. Its path is used instead, so that each page has its own scroll position.
const scrollKey = ({ key, pathname }: Location) => (key === 'default' ? pathname : key)

/** A thread of ink over the page while the next one loads. */
function Progress() {
  const busy = useNavigation().state !== 'idle'
  if (!busy) return null
  return <div aria-hidden="true" className="fixed inset-x-0 top-0 z-60 h-0.5 animate-breathe bg-ink" />
}

function Main() {
  const { pathname, hash } = useLocation()
  const main = useRef<HTMLElement>(null)
  const first = useRef(true)
  // After a navigation the focus begins at the new page, so that a keyboard or a screen reader does not stay behind.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path is the reason to run
  useEffect(() => {
    if (first.current) first.current = false
    else if (!hash) main.current?.focus({ preventScroll: true })
  }, [pathname])
  return (
    <main ref={main} id={MAIN_ID} tabIndex={-1} className="flex-1 pb-20">
      <Outlet />
    </main>
  )
}
