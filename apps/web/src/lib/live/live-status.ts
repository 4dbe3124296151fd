import { useEffect, useState, useSyncExternalStore } from 'react'

/** A connection that is back within this time was not missed. */
const GRACE_MS = 4_000

export interface LiveStatus {
  /** Whether events arrive. */
  readonly connected: boolean
  /** While not connected: from when on changes may be missing on the page. */
  readonly staleSince: Date | null
}

const CONNECTED: LiveStatus = { connected: true, staleSince: null }

const listeners = new Set<() => void>()
let status = CONNECTED

function set(next: LiveStatus) {
  status = next
  for (const notify of listeners) notify()
}

/** Events arrive again, or no user is signed in. */
export function liveConnected(): void {
  if (!status.connected) set(CONNECTED)
}

/** No events arrive from now on. */
export function liveInterrupted(): void {
  if (status.connected) set({ connected: false, staleSince: new Date() })
}

/** Everything shown was asked for again while no events arrive: it is as fresh as this moment. */
export function allRefreshed(): void {
  if (!status.connected) set({ connected: false, staleSince: new Date() })
}

/** Since when the page may be out of date because no live events arrive; null while they do, or for a short gap. */
export function useStaleSince(): Date | null {
  const { connected, staleSince } = useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => status,
  )
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    setIsLong(false)
    if (connected) return
    const timer = setTimeout(() => setIsLong(true), GRACE_MS)
    return () => clearTimeout(timer)
  }, [connected])
  return isLong ? staleSince : null
}
