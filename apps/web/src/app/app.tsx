import { lazy, Suspense } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Navigation } from '../lib/navigation.js'
import { RouteError } from './route-error.js'
import { CurrentPage } from './router.js'
import { ServerData } from './server-data.js'
import { Shell } from './shell/shell.js'
import { StartupGate, StartupSpinner } from './startup-gate.js'

// Loaded with the first page, not before it. A message that is sent earlier waits in its store.
const Toaster = lazy(async () => ({ default: (await import('../components/toaster.js')).Toaster }))

// Live events begin after the page is shown: the first paint does not wait for them.
const LiveEvents = lazy(async () => ({ default: (await import('../lib/live/live-events.js')).LiveEvents }))

export function App() {
  return (
    <ServerData>
      <StartupGate>
        <Navigation>
          {/* An error of a page is shown inside the shell; this is for errors of the shell itself. */}
          <ErrorBoundary FallbackComponent={RouteError}>
            <Suspense fallback={<StartupSpinner />}>
              <Shell>
                <CurrentPage />
              </Shell>
            </Suspense>
          </ErrorBoundary>
        </Navigation>
      </StartupGate>
      <Suspense>
        <Toaster />
        <LiveEvents />
      </Suspense>
    </ServerData>
  )
}
