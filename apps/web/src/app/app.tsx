import type { ComponentProps } from 'react'
import { RouterProvider } from 'react-router-dom'
import { LiveEvents } from '../lib/live/live-events.js'
import { Messages } from './messages.js'
import { ServerData } from './server-data.js'
import { StartupGate } from './startup-gate.js'

export function App({ router }: Pick<ComponentProps<typeof RouterProvider>, 'router'>) {
  return (
    <ServerData>
      <StartupGate>
        <RouterProvider router={router} />
      </StartupGate>
      <Messages />
      <LiveEvents />
    </ServerData>
  )
}
