import { routes } from 'virtual:routes'
import type { LiveEvent } from '@holdfast/contracts/messages'
import { useEffect } from 'react'
import { useSWRConfig } from 'swr'
import { refreshCurrentUser, useSession } from '../current-user.js'
import { followsLater, isAffected } from './affected.js'
import { startLive } from './live-connection.js'

/** One step of a deal tells several events at once; they are answered together. */
const GATHER_MS = 100
/** Messages and notifications are made from the same events by another service; by then they are there. */
const FOLLOWING_MS = 1_500

/** While somebody is signed in: whatever changes on the server is asked for afresh, on every page, by itself. */
export function LiveEvents(): null {
  const { user } = useSession()
  const { mutate } = useSWRConfig()
  const userId = user?.id
  useEffect(() => {
    if (!userId) return
    const later = new Timers()
    const answer = (events: readonly LiveEvent[]) => {
      const concerns = (key: unknown) => events.some(event => isAffected(event, key))
      void mutate(concerns)
      later.add(FOLLOWING_MS, () => void mutate(key => followsLater(key) && concerns(key)))
    }
    let gathered: LiveEvent[] = []
    const onEvent = (event: LiveEvent) => {
      gathered.push(event)
      if (gathered.length > 1) return
      later.add(GATHER_MS, () => {
        const events = gathered
        gathered = []
        answer(events)
      })
    }
    const onRefused = () => void refreshCurrentUser().catch(() => undefined)
    const stop = startLive({ url: routes.getEvents.path, userId, onEvent, onRefused })
    return () => {
      stop()
      later.clear()
    }
  }, [userId, mutate])
  return null
}

/** Things to do in a moment, unless the page is left before. */
class Timers {
  private readonly running = new Set<ReturnType<typeof setTimeout>>()

  add(delayMs: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.running.delete(timer)
      run()
    }, delayMs)
    this.running.add(timer)
  }

  clear(): void {
    for (const timer of this.running) clearTimeout(timer)
    this.running.clear()
  }
}
