import { lazy, Suspense } from 'react'
import { RouterProvider } from 'react-router-dom'
import { router } from './router.js'
import { ServerData } from './server-data.js'
import { StartupGate } from './startup-gate.js'

// Loaded beside the first page, not before it: a message that is sent earlier waits for it in its store.
const Toaster = lazy(async () => ({ default: (await import('../components/toaster.js')).Toaster }))

// Nobody waits for them: they begin once the page stands.
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
