import { lazy, Suspense } from 'react'
import { RouterProvider } from 'react-router-dom'
import { router } from './router.js'
import { ServerData } from './server-data.js'
import { StartupGate } from './startup-gate.js'

// Loaded with the first page, not before it. A message that is sent earlier waits in its store.
const Toaster = lazy(async () => ({ default: (await import('../components/toaster.js')).Toaster }))

// Live events begin after the page is shown: the first paint does not wait for them.
const LiveEvents = lazy(async () => ({ default: (await import('../lib/live/live-events.js')).LiveEvents }))

export function App() {
  return (
    <ServerData>
      <StartupGate>
        <RouterProvider router={router} />
      </StartupGate>
      <Suspense>
        <Toaster />
        <LiveEvents />
      </Suspense>
    </ServerData>
  )
}
