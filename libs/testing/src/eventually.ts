import { setTimeout as sleep } from 'node:timers/promises'

const PAUSE_MS = 20
// Long enough for a busy machine. A test that passes never waits this long.
const DEFAULT_PATIENCE_MS = 20_000

/** Calls `ask` until its answer is truthy, to wait for the effects of events. Throws after `patienceMs`. */
export async function eventually<T>(
  ask: () => T | Promise<T>,
  patienceMs = DEFAULT_PATIENCE_MS,
): Promise<NonNullable<T>> {
  const end = Date.now() + patienceMs
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    if (Date.now() > end) throw new Error(`not true after ${patienceMs} ms: ${ask}`)
    await sleep(PAUSE_MS)
  }
}

/** Calls `assert` until it passes, and throws its last error after `patienceMs`. */
export async function eventuallyPasses(
  assert: () => void | Promise<void>,
  patienceMs = DEFAULT_PATIENCE_MS,
): Promise<void> {
  const end = Date.now() + patienceMs
  for (;;) {
    try {
      return await assert()
    } catch (error) {
      if (Date.now() > end) throw error
    }
    await sleep(PAUSE_MS)
  }
}
