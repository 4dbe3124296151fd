import { setTimeout as sleep } from 'node:timers/promises'

const PAUSE_MS = 100
/** Long enough for a busy machine. A journey that passes never waits this long. */
const PATIENCE_MS = 30_000

/**
 * Repeats `ask` until its answer is truthy, and resolves with that answer.
 *
 * @template T
 * @param {string | (() => string)} what the end of the message "Within 30 s it was not true that …"; a function says it at the end
 * @param {() => T | Promise<T>} ask
 * @returns {Promise<NonNullable<T>>}
 */
export async function eventually(what, ask, { withinMs = PATIENCE_MS, everyMs = PAUSE_MS } = {}) {
  const end = performance.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    if (performance.now() > end) {
      const words = typeof what === 'function' ? what() : what
      throw new Error(`Within ${withinMs / 1000} s it was not true that ${words}.`)
    }
    await sleep(everyMs)
  }
}
