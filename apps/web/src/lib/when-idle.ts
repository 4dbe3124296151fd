import { useEffect, useState } from 'react'

/** Safari has no requestIdleCallback. */
const IDLE_AFTER_MS = 2_000
/** A browser that is never idle does the work after this time. */
const AT_LATEST_MS = 5_000

/**
 * Does a piece of work when everything that the HTML names is loaded and the browser has nothing else to do. Answers a function
 * that gives it up.
 */
export function whenIdle(work: () => void): () => void {
  if (document.readyState === 'complete') return onceIdle(work)
  let giveUp = () => window.removeEventListener('load', onLoad)
  const onLoad = () => {
    giveUp = onceIdle(work)
  }
  window.addEventListener('load', onLoad, { once: true })
  return () => giveUp()
}

function onceIdle(work: () => void): () => void {
  if (typeof window.requestIdleCallback !== 'function') {
    const timer = setTimeout(work, IDLE_AFTER_MS)
    return () => clearTimeout(timer)
  }
  const request = window.requestIdleCallback(work, { timeout: AT_LATEST_MS })
  return () => window.cancelIdleCallback(request)
}

/** Whether the browser has had nothing else to do since the component was shown. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => whenIdle(() => setIdle(true)), [])
  return isIdle
}
