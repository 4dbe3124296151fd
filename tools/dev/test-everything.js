import { build } from './build.js'
import { installEndToEnd, startJourneys } from './end-to-end.js'
import { installEverything } from './install.js'
import { runJest } from './jest-run.js'
import { phase } from './output.js'
import { startScratchPostgres } from './scratch-postgres.js'
import { session } from './session.js'
import { ROOT } from './settings.js'
import { Suites } from './suites.js'

// With the worker of the web's tests more than the two processors of a small machine: an integration test waits for about half of its time.
const WORKERS = 3

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
    const jest = (title, projects, workers) => suites.part(title, () => runJest(processes, projects, { env, workers }))
    const tests = Promise.all([
      jest('Unit and integration tests', ['unit', 'integration'], WORKERS),
      jest('The web app', ['web'], 1),
    ])
    if (!isBuilt) await tests
    else {
      // These mostly wait, so they run at the same time.
      const launcher = jest('The launcher', ['launcher'], 1)
      const waiting = jest('Tests that wait', ['waiting'], 1)
      const browser = suites.prepare('The browser', () => installEndToEnd(processes))
      await launcher
      // Now, since the launcher's tests build the web app anew, which the journeys use.
      let journeys
      const start = () => startJourneys(processes, undo).then(started => (journeys = started))
      const isStarted = await suites.prepare('The product for the journeys', start)
      const clocks = isStarted && suites.part('Journeys that wait for a deadline', () => journeys.run('clocks'))
      // Other requests would be measured as well.
      const threads = isStarted && suites.part('Journeys that measure', () => journeys.run('demo,threads'))
      const [hasBrowser] = await Promise.all([browser, tests, threads])
      if (isStarted && hasBrowser) await suites.part('Journeys through the product', () => journeys.run('api,browsers'))
      await Promise.all([clocks, waiting])
    }
    return suites.report()
  })
}
