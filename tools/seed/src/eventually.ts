import { setTimeout as sleep } from 'node:timers/promises'

const PAUSE_MS = 100
const PATIENCE_MS = 30_000

/**
 * Asks again until the answer is true, for what follows from events.
 *
 * @param what completes the sentence of the error: "In 30 s it did not happen that …"
 */
export async function eventually(what: string, ask: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!(await ask())) {
    if (performance.now() > end) throw new Error(`In ${PATIENCE_MS / 1000} s it did not happen that ${what}.`)
    await sleep(PAUSE_MS)
  }
}
