import { setTimeout as sleep } from 'node:timers/promises'
import { loggerOf } from '../telemetry/logging.js'
import { isDatabaseAway } from './database-trouble.js'

/** A service that starts while its database does, or while it is restarted, waits so long for it. */
const PATIENCE_MS = 60_000
const AGAIN_MS = 1_000

/**
 * Asks what a booting service asks of its database first, again and again while nobody answers there, for a minute at
 * most.
 *
 * @throws what `ask` throws: at once when the database answered, as it does to a wrong password
 */
export async function untilDatabaseAnswers<T>(ask: () => Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
  const giveUpAt = performance.now() + patienceMs
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() >= giveUpAt) throw error
      loggerOf('database').warn({ err: error }, 'the database does not answer; the boot waits for it')
    }
    await sleep(AGAIN_MS)
  }
}
