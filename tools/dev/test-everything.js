import { build } from './build.js'
import { installEndToEnd, runJourneys } from './end-to-end.js'
import { installEverything } from './install.js'
import { phase } from './output.js'
import { startScratchPostgres } from './scratch-postgres.js'
import { session } from './session.js'
import { ROOT } from './settings.js'
import { Suites } from './suites.js'
import { runVitest } from './vitest-run.js'

/** Runs every suite that needs nothing but Node, and ends the process: with 0 when nothing failed. */
export async function testEverything() {
  await session(async (processes, undo) => {
    const suites = new Suites()
    await installEverything(processes, ROOT)
    // First, since some tests run a service from its build.
    const isBuilt = await suites.prepare('Build', () => phase('Building', note => build(processes, note)))
    const database = await phase('Starting PostgreSQL', () => startScratchPostgres(processes))
    undo.push(database.discard)

    const env = { DATABASE_URL: database.url }
    const tests = suites.part('Unit and integration tests', () =>
      runVitest(processes, ['unit', 'web', 'web-alone', 'integration'], { env }),
    )
    if (!isBuilt) await tests
    else {
      // These mostly wait, so they run at the same time.
      const waiting = () => runVitest(processes, ['launcher', 'waiting'], { env, workers: 1 })
      await Promise.all([tests, suites.part('The launcher, and tests that wait', waiting)])
      await suites.part('Journeys through the product', async () => {
        await installEndToEnd(processes)
        return runJourneys(processes, undo)
      })
    }
    return suites.report()
  })
}
