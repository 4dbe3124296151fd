import { pauseAfter } from '@holdfast/kernel/backoff'

const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 5 * 60_000

/** Most deadlines remembered. Beyond that the oldest is forgotten, which costs at most one early attempt. */
const MAX_REMEMBERED = 5_000

interface Attempt {
  readonly times: number
  readonly notBefore: number
}

/**
 * What this process has tried to fire, for one source. A deadline that is still due after an attempt is tried at growing
 * intervals, so that it does not delay others. The pauses do not change when the machine's clock is set. Each replica counts its
 * own attempts, so two replicas try twice as often.
 */
export class FiringAttempts {
  private readonly known = new Map<string, Attempt>()

  /** Records an attempt before it is made. `deadline` names row and due time, so a row with a new time starts at zero. */
  note(deadline: string, now = performance.now()): void {
    const times = (this.known.get(deadline)?.times ?? 0) + 1
    const pause = pauseAfter(times, { firstMs: FIRST_PAUSE_MS, longestMs: LONGEST_PAUSE_MS })
    this.known.delete(deadline)
    this.known.set(deadline, { times, notBefore: now + pause })
    const oldest = this.known.keys().next()
    if (this.known.size > MAX_REMEMBERED && !oldest.done) this.known.delete(oldest.value)
  }

  mayTry(deadline: string, now = performance.now()): boolean {
    return (this.known.get(deadline)?.notBefore ?? 0) <= now
  }

  /** How many deadlines must wait before their next attempt. */
  pausing(now = performance.now()): number {
    let count = 0
    for (const attempt of this.known.values()) if (attempt.notBefore > now) count++
    return count
  }
}
