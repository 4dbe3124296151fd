import { lazy, Suspense } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Navigation } from '../lib/navigation.js'
import { useToast } from '../lib/toast.js'
import { useIdle } from '../lib/when-idle.js'
import { RouteError } from './route-error.js'
import { CurrentPage } from './router.js'
import { ServerData } from './server-data.js'
import { Shell } from './shell/shell.js'
import { StartupGate, StartupSpinner } from './startup-gate.js'

const Toaster = lazy(async () => ({ default: (await import('../components/toaster.js')).Toaster }))
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
      <Later />
    </ServerData>
  )
}

/** What the first page does not wait for. A message that is sent earlier waits in its store until the toaster is loaded. */
function Later() {
  const isIdle = useIdle()
  const hasMessage = useToast() !== null
  return (
    <>
      <Suspense>{(isIdle || hasMessage) && <Toaster />}</Suspense>
      <Suspense>{isIdle && <LiveEvents />}</Suspense>
    </>
  )
}
