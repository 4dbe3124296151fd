/** Safari has no requestIdleCallback. */
const IDLE_AFTER_MS = 2_000

/** Does a piece of work when the browser has nothing else to do. Answers a function that gives it up. */
export function whenIdle(work: () => void): () => void {
  if (typeof window.requestIdleCallback !== 'function') {
    const timer = setTimeout(work, IDLE_AFTER_MS)
    return () => clearTimeout(timer)
  }
  const request = window.requestIdleCallback(work)
  return () => window.cancelIdleCallback(request)
}
