import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves after `ms`, or as soon as the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/**
 * Whether `work` is done within `ms`. When the work rejects within this time, so does this function. Work that takes longer
 * goes on, and its outcome is ignored.
 */
export async function isDoneWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const waiting = new AbortController()
  try {
    return await Promise.race([work.then(() => true), sleep(ms, false, { signal: waiting.signal })])
  } finally {
    waiting.abort()
  }
}
