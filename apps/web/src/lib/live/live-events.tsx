import { routes } from 'virtual:routes'
import type { LiveEvent } from '@holdfast/contracts/messages'
import { useEffect } from 'react'
import { refreshCurrentUser, useSession } from '../current-user.js'
import { refreshAfter } from './changes.js'
import { startLive } from './live-connection.js'
import { liveConnected, liveInterrupted } from './live-status.js'

/** One step of a deal causes several events within moments; they are answered together. */
const GATHER_MS = 100

/** While a user is signed in, every page asks again for what changed on the server. */
export function LiveEvents(): null {
  const { user } = useSession()
  const userId = user?.id
  useEffect(() => {
    if (!userId) return
    let gathered: LiveEvent[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = startLive({
      url: routes.getEvents.path,
      userId,
      onEvent: event => {
        gathered.push(event)
        timer ??= setTimeout(() => {
          const events = gathered
          gathered = []
          timer = undefined
          void refreshAfter(...events)
        }, GATHER_MS)
      },
      onRefused: () => void refreshCurrentUser().catch(() => undefined),
      onConnected: connected => (connected ? liveConnected() : liveInterrupted()),
    })
    return () => {
      stop()
      clearTimeout(timer)
      liveConnected()
    }
  }, [userId])
  return null
}
