import { useSyncExternalStore } from 'react'

/** The code with which the server refuses an admin whose session was made without the second factor that admins need. */
export const ADMIN_NEEDS_SECOND_FACTOR = 'ADMIN_NEEDS_SECOND_FACTOR'

const listeners = new Set<() => void>()
let isNeeded = false

/** Keeps that the server has refused an admin for the lack of a second factor, or that they have one now. */
export function setNeedsSecondFactor(needs: boolean): void {
  isNeeded = needs
  for (const notify of listeners) notify()
}

/** Whether this admin has to set up a second factor first, as far as the server has said so. */
export const useNeedsSecondFactor = (): boolean =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isNeeded,
  )
