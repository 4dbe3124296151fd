import { Suspense } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Navigation } from '../lib/navigation.js'
import { Later } from './later.js'
import { RouteError } from './route-error.js'
import { CurrentPage } from './router.js'
import { ServerData } from './server-data.js'
import { Shell } from './shell/shell.js'
import { StartupGate, StartupSpinner } from './startup-gate.js'

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
