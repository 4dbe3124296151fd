import { useSyncExternalStore } from 'react'

const TICK_MS = 15_000

// One clock for the page: every deadline on it moves at the same moment, and a hundred rows cost one timer.
const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void) {
  listeners.add(listener)
  if (timer === undefined) {
    now = Date.now()
    timer = setInterval(() => {
      now = Date.now()
      for (const notify of listeners) notify()
    }, TICK_MS)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) {
      clearInterval(timer)
      timer = undefined
    }
  }
}

/** The present time, renewed every quarter of a minute while a component that uses it is shown. */
export const useNow = (): Date => new Date(useValueNow(Number))

/**
 * A value that depends on the present time, renewed every quarter of a minute. The component is rendered again only when the
 * value has changed, so a thousand relative times cost almost nothing.
 */
export function useValueNow<Value extends string | number>(valueAt: (now: Date) => Value): Value {
  return useSyncExternalStore(subscribe, () => valueAt(new Date(now)))
}
