import { setTimeout as sleep } from 'node:timers/promises'
import { loggerOf } from '../telemetry/logging.js'
import { isDatabaseUnreachable } from './database-trouble.js'

/** How long a service that starts waits for a database that starts at the same time, or is restarted. */
const PATIENCE_MS = 60_000
const AGAIN_MS = 1_000

/**
 * Repeats the first query of a booting service while the database does not answer, for a minute at most.
 *
 * @throws the error of `ask`; at once when the database itself refused, as for a wrong password
 */
export async function untilDatabaseAnswers<T>(ask: () => Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
  const giveUpAt = performance.now() + patienceMs
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!isDatabaseUnreachable(error) || performance.now() >= giveUpAt) throw error
      loggerOf('database').warn({ err: error }, 'the database does not answer; the boot waits for it')
    }
    await sleep(AGAIN_MS)
  }
}
