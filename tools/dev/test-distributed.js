// `npm run test:distributed`: what needs Kafka, Redis and an S3 server, or several replicas. The last line counts all of it.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { build } from './build.js'
import { engines, installEngines } from './distributed.js'
import { runOnEngines } from './distributed-tests.js'
import { installEndToEnd, startJourneys } from './end-to-end.js'
import { installEverything } from './install.js'
import { runJest } from './jest-run.js'
import { phase, say } from './output.js'
import { startScratchPostgres } from './scratch-postgres.js'
import { session } from './session.js'
import { ROOT } from './settings.js'
import { Suites } from './suites.js'

const REPLICAS = 2
/**
 * Long enough for each kind of fault once. One seed, so that every run does the same. Two processors carry ten commands a second on two
 * replicas, Kafka, Redis and S3 with ease, and not thirty. No goodput is required: beside much other work
 * no command may succeed within ten seconds. A product that serves nobody any more fails, since a command must succeed in the second half.
 */
const CHAOS = { seed: 7, perSecond: 10, goodput: 0 }
const CHAOS_DISTRIBUTED = { ...CHAOS, seconds: 75, replicas: REPLICAS, distributed: true }
/** With one process of each service, as `npm start` has. So none is paused or restarted in turn, which would take another minute. */
const CHAOS_EMBEDDED = { ...CHAOS, seconds: 40, replicas: 1, distributed: false }

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
      onPostgres(options => runJest(processes, ['engines'], options)),
    )
    await suites.part(
      'Services on Kafka, Redis and S3',
      onPostgres(options => runOnEngines(processes, undo, options)),
    )
    const journeys = async () => {
      await installEndToEnd(processes)
      const home = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-jaeger-'))
      undo.push(() => fs.rmSync(home, { recursive: true, force: true }))
      const jaeger = await phase('Starting Jaeger', async () => (await engines('jaeger')).startJaeger(home))
      try {
        const started = await startJourneys(processes, undo, { args: ['--distributed'], replicas: REPLICAS, jaeger })
        const outcome = await started.run('clocks,demo,api')
        await started.stop()
        return outcome
      } finally {
        await jaeger.process.stop()
      }
    }
    await suites.part('Journeys on Kafka, Redis and S3, two replicas', journeys)
  }
  const chaos = settings => async () => {
    // It needs the kernel, which is compiled by now.
    const { runChaos } = await import('../chaos/run.js')
    const { wrong, counts, goodput } = await runChaos(processes, undo, settings)
    say(`  ${JSON.stringify(counts)}, goodput ${goodput.toFixed(2)}`, ...wrong.map(each => `  ✗ ${each}`))
    return { passed: wrong.length === 0 ? 1 : 0, failures: wrong }
  }
  await suites.part('Faults under load', chaos(CHAOS_EMBEDDED))
  await suites.part('Faults under load, on Kafka, Redis and S3', chaos(CHAOS_DISTRIBUTED))
  return suites.report()
})
