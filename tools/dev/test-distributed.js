// `npm run test:distributed`: what needs Kafka, Redis and an S3 server, or several replicas. The last line counts all of it.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { runChaos } from '../chaos/run.js'
import { build } from './build.js'
import { engines, installEngines } from './distributed.js'
import { runOnEngines } from './distributed-tests.js'
import { installEndToEnd, runJourneys } from './end-to-end.js'
import { installEverything } from './install.js'
import { phase, say } from './output.js'
import { startScratchPostgres } from './scratch-postgres.js'
import { session } from './session.js'
import { ROOT } from './settings.js'
import { Suites } from './suites.js'
import { runVitest } from './vitest-run.js'

const REPLICAS = 2
/** One seed, so that every run does the same. Nothing is required of the goodput, since other work on the machine lowers it. */
const CHAOS = { seed: 7, seconds: 25, perSecond: 30, replicas: REPLICAS, goodput: 0, distributed: true }

await session(async (processes, undo) => {
  const suites = new Suites()
  await installEverything(processes, ROOT)
  const isBuilt = await suites.prepare('Build', () => phase('Building', note => build(processes, note)))
  if (!isBuilt) return suites.report()
  const hasEngines = await suites.prepare('Kafka, Redis, S3, Stripe’s mock and Jaeger', () =>
    phase('Installing the engines', note => installEngines(processes, note)),
  )
  if (hasEngines) {
    const onPostgres = run => async () => {
      const database = await phase('Starting PostgreSQL', () => startScratchPostgres(processes))
      undo.push(database.discard)
      return run({ env: { DATABASE_URL: database.url } })
    }
    await suites.part(
      'Adapters on real engines',
      onPostgres(options => runVitest(processes, ['engines'], options)),
    )
    await suites.part(
      'Services on Kafka, Redis and S3',
      onPostgres(options => runOnEngines(processes, undo, options)),
    )
    await suites.part('Journeys on Kafka, Redis and S3, two replicas', async () => {
      await installEndToEnd(processes)
      const home = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-jaeger-'))
      undo.push(() => fs.rmSync(home, { recursive: true, force: true }))
      const jaeger = await phase('Starting Jaeger', async () => (await engines('jaeger')).startJaeger(home))
      try {
        return await runJourneys(processes, undo, {
          args: ['--distributed'],
          replicas: REPLICAS,
          journeys: 'api',
          jaeger,
        })
      } finally {
        await jaeger.process.stop()
      }
    })
  }
  await suites.part('Processes killed under load', async () => {
    const { wrong, counts } = await runChaos(processes, undo, CHAOS)
    say(`  ${JSON.stringify(counts)}`, ...wrong.map(each => `  ✗ ${each}`))
    return { passed: wrong.length === 0 ? 1 : 0, failures: wrong }
  })
  return suites.report()
})
