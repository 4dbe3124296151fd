import { pauseAfter } from '@holdfast/kernel/backoff'

/** A sleep that can be ended early. A wake-up while nothing sleeps is kept, and the next sleep ends at once. */
export class Wakeup {
  private pending = false
  private end: (() => void) | undefined

  wake(): void {
    if (this.end) this.end()
    else this.pending = true
  }

  /** Resolves after `ms`, or as soon as `wake` is called. One sleep at a time. */
  async sleep(ms: number): Promise<void> {
    if (this.pending) {
      this.pending = false
      return
    }
    await new Promise<void>(resolve => {
      const timer = setTimeout(() => this.end?.(), ms)
      this.end = () => {
        clearTimeout(timer)
        this.end = undefined
        resolve()
      }
    })
  }
}

/** The pause after a small batch, in milliseconds. */
export const PAUSE_MS = 25
const PAUSE_AFTER_LARGE_BATCH_MS = 100
/** A batch of at least this many events is large. One command writes fewer, so a large batch shows load. */
export const LARGE_BATCH = 8

/**
 * How long a reader of the outbox or of the log pauses after a batch, in milliseconds. Events that arrive meanwhile share the
 * next statements. Under load the pause is longer: an event costs less than half as much processor time in a batch of 260 as
 * in a batch of 65 (docs/performance.md). A reader that found no event does not pause: the next event wakes it at once.
 */
export const pauseAfterBatch = (events: number): number =>
  events < LARGE_BATCH ? PAUSE_MS : PAUSE_AFTER_LARGE_BATCH_MS

const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 5_000

/** How long to wait before trying again after `failures` failures in a row: doubling, and never above 5 s. */
export const reconnectDelay = (failures: number): number =>
  pauseAfter(failures + 1, { firstMs: FIRST_DELAY_MS, longestMs: LONGEST_DELAY_MS })

/**
 * Whether a failure is logged: the first, second, fourth, eighth and so on of a row. So a long outage does not fill the log.
 *
 * @param failures the failures in a row before this one
 */
export const isWorthLogging = (failures: number): boolean => Number.isInteger(Math.log2(failures + 1))
