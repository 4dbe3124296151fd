import { RouterProvider } from 'react-router-dom'
import { Toaster } from '../components/toaster.js'
import { router } from './router.js'
import { ServerData } from './server-data.js'
import { StartupGate } from './startup-gate.js'

export function App() {
  return (
    <ServerData>
      <StartupGate>
        <RouterProvider router={router} />
      </StartupGate>
      <Toaster />
    </ServerData>
  )
}
