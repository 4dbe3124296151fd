import { useSyncExternalStore } from 'react'

export interface ToastMessage {
  readonly id: number
  readonly title: string
  readonly description?: string
  /** `trouble` is the spec's destructive style. */
  readonly tone: 'plain' | 'trouble'
}

const listeners = new Set<() => void>()
let current: ToastMessage | null = null
let lastId = 0

function set(next: ToastMessage | null) {
  current = next
  for (const notify of listeners) notify()
}

/** Shows one message for five seconds. Only one is shown at a time: a new one replaces the old. */
export function toast(title: string, description?: string) {
  set({ id: ++lastId, title, tone: 'plain', ...(description ? { description } : {}) })
}

/** The same for a failure; screen readers announce it at once. Say what did not happen, and what that means for the money. */
export function toastError(title: string, description?: string) {
  set({ id: ++lastId, title, tone: 'trouble', ...(description ? { description } : {}) })
}

/** Removes a message, unless another one has replaced it; without `id` whichever is shown. */
export function dismissToast(id = current?.id) {
  if (current?.id === id) set(null)
}

export function useToast(): ToastMessage | null {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}
