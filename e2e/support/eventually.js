import { setTimeout as sleep } from 'node:timers/promises'

const PAUSE_MS = 100
const PATIENCE_MS = 15_000

/**
 * Asks again until the answer is truthy, and gives it back.
 *
 * @param {string} what completes the sentence "It did not come to pass that …"
 */
export async function eventually(what, ask, { withinMs = PATIENCE_MS, everyMs = PAUSE_MS } = {}) {
  const end = performance.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    if (performance.now() > end) throw new Error(`It did not come to pass within ${withinMs / 1000} s that ${what}.`)
    await sleep(everyMs)
  }
}
