import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { runChaos } from '../chaos/run.js'
import { provesMutations } from './access/run.js'
import { build } from './build.js'
import { installEngines } from './distributed.js'
import { endToEndCounts, installEndToEnd } from './end-to-end.js'
import { Failure } from './failure.js'
import { EVERYTHING, install, isInstalled } from './install.js'
import { bold, phase, say, sayFailure, seconds } from './output.js'
import { startScratchPostgres } from './scratch-postgres.js'
import { session } from './session.js'
import { ROOT } from './settings.js'
import { runVitest } from './vitest-run.js'

/**
 * Runs every suite and ends the process: with 0 when nothing failed. Prints `N passed, N failed` at the end, and
 * writes the same two numbers as JSON to the file named in TEST_RESULT, if any.
 */
export async function testEverything() {
  await session(async (processes, undo) => {
    const began = performance.now()
    const counts = []
    const part = async (title, work) => {
      say('', bold(title), '')
      const result = await counted(work)
      counts.push({ title, ...result })
    }

    if (!isInstalled(ROOT, EVERYTHING)) {
      await phase('Installing packages', note => install(processes, ROOT, EVERYTHING, note))
    }
    // First, since some tests run a service from its build.
    const built = await counted(() => phase('Building', note => build(processes, note)).then(() => NOTHING))
    counts.push({ title: 'Build', ...built })
    const database = await phase('Starting PostgreSQL', () => startScratchPostgres(processes))
    undo.push(database.discard)

    const engines = await counted(() => prepareEngines(processes))
    if (engines.failed > 0) counts.push({ title: 'Engines', ...engines })

    const env = { DATABASE_URL: database.url }
    const suites = part('Unit and integration tests', () =>
      runVitest(processes, ['unit', 'web', 'web-alone', 'integration'], { env }),
    )
    if (built.failed > 0) await suites
    else {
      // These mostly wait, so they run at the same time.
      const projects = ['launcher', 'waiting', ...(engines.ready ? ['engines'] : [])]
      const waiting = () => runVitest(processes, projects, { env, workers: 1 })
      await Promise.all([suites, part('The launcher, engines, and tests that wait', waiting)])
      await part('Journeys through the product', async () => {
        await installEndToEnd(processes)
        return endToEndCounts(processes, fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-e2e-')))
      })
      await part('Processes killed under load', () => survivesChaos(processes, undo))
      await part('Guards removed', () =>
        provesMutations(processes, undo, { count: MUTATIONS_PER_RUN, budgetMs: MUTATIONS_BUDGET_MS }),
      )
    }
    return report(counts, began)
  })
}

/** One seed, so that every run does the same. Nothing is required of the goodput, since other work on the machine lowers it. */
const CHAOS = { seed: 7, seconds: 25, perSecond: 30, replicas: 2, goodput: 0 }

async function survivesChaos(processes, undo) {
  const { wrong, counts } = await runChaos(processes, undo, CHAOS)
  say(`  ${JSON.stringify(counts)}`, ...wrong.map(each => `  ✗ ${each}`))
  return { passed: wrong.length === 0 ? 1 : 0, failed: wrong.length }
}

/** Guards that one run removes. Each takes about six seconds; others have their turn on other days. */
const MUTATIONS_PER_RUN = 3
const MUTATIONS_BUDGET_MS = 35_000
/**
 * Installs the engines that some tests start. When this machine lacks one, these tests are left out, except in CI.
 * @throws Failure in CI
 */
async function prepareEngines(processes) {
  try {
    await phase('Preparing Kafka, Redis and S3', note => installEngines(processes, note))
    return { ...NOTHING, ready: true }
  } catch (error) {
    if (process.env.CI || !(error instanceof Failure)) throw error
    say('  Tests on these engines are left out.')
    sayFailure(error)
    return NOTHING
  }
}

const NOTHING = { passed: 0, failed: 0 }

// A part that throws a Failure counts as one failure, shown at once; the other parts still run.
async function counted(work) {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    sayFailure(error)
    return { passed: 0, failed: 1 }
  }
}

function report(counts, began) {
  const passed = counts.reduce((sum, part) => sum + part.passed, 0)
  const failed = counts.reduce((sum, part) => sum + part.failed, 0)
  say('', bold(`After ${seconds(performance.now() - began)}`))
  for (const part of counts) say(`  ${part.title.padEnd(34)} ${part.passed} passed, ${part.failed} failed`)
  if (process.env.TEST_RESULT) fs.writeFileSync(process.env.TEST_RESULT, JSON.stringify({ passed, failed }))
  say('', `${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}
