/** Safari has no requestIdleCallback. */
const IDLE_AFTER_MS = 2_000

/** Runs the work when the browser has nothing else to do. Returns a function that cancels it. */
export function whenIdle(work: () => void): () => void {
  if (typeof window.requestIdleCallback !== 'function') {
    const timer = setTimeout(work, IDLE_AFTER_MS)
    return () => clearTimeout(timer)
  }
  const request = window.requestIdleCallback(work)
  return () => window.cancelIdleCallback(request)
}

/**
 * Loads code when the browser has nothing else to do, and then calls `onLoad`. A failure is ignored, because the code is loaded
 * again when it is needed. Returns a function that cancels it.
 */
export const loadWhenIdle = (load: () => Promise<unknown>, onLoad = () => {}): (() => void) =>
  whenIdle(() => void load().then(onLoad, () => undefined))
