import { setTimeout as sleep } from 'node:timers/promises'

const PAUSE_MS = 100
const PATIENCE_MS = 30_000

/**
 * Asks again until the answer is true, for what becomes so by events.
 *
 * @param what completes the sentence of the error: "It did not come to pass that …"
 */
export async function eventually(what: string, ask: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!(await ask())) {
    if (performance.now() > end) throw new Error(`It did not come to pass that ${what}.`)
    await sleep(PAUSE_MS)
  }
}
