import { useEffect, useState } from 'react'

/** Safari has no requestIdleCallback. */
const IDLE_AFTER_MS = 2_000
/** A browser that is never idle does the work after this time. */
const AT_LATEST_MS = 5_000

/**
 * Runs the work when everything that the HTML names is loaded and the browser has nothing else to do. Returns a function that
 * cancels it.
 */
function whenIdle(work: () => void): () => void {
  if (document.readyState === 'complete') return onceIdle(work)
  let cancel = () => window.removeEventListener('load', onLoad)
  const onLoad = () => {
    cancel = onceIdle(work)
  }
  window.addEventListener('load', onLoad, { once: true })
  return () => cancel()
}

function onceIdle(work: () => void): () => void {
  if (typeof window.requestIdleCallback !== 'function') {
    const timer = setTimeout(work, IDLE_AFTER_MS)
    return () => clearTimeout(timer)
  }
  const request = window.requestIdleCallback(work, { timeout: AT_LATEST_MS })
  return () => window.cancelIdleCallback(request)
}

/** Whether the browser has had nothing else to do since the component was first rendered. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => whenIdle(() => setIdle(true)), [])
  return isIdle
}

/**
 * Loads code when the browser has nothing else to do, and then calls `onLoad`. A failure is ignored, because the code is loaded
 * again when it is needed. Returns a function that cancels it.
 */
export const loadWhenIdle = (load: () => Promise<unknown>, onLoad = () => {}): (() => void) =>
  whenIdle(() => void load().then(onLoad, () => undefined))
