import path from 'node:path'
import { startScratchEngines } from './distributed.js'
import { runJest } from './jest-run.js'

/** How many test files run at the same time. */
const WORKERS = 2

/**
 * Runs the integration tests of the services on Kafka, Redis and S3. Each worker of Jest has engines of its own, so that test files which run
 * at the same time do not get one another's events.
 * @param {import('./processes.js').Processes} processes
 * @param {(() => unknown)[]} undo
 * @param {{ patterns?: string[], env: Record<string, string> }} options
 * @returns {Promise<import('./suites.js').Outcome>}
 */
export async function runOnEngines(processes, undo, { patterns, env }) {
  const workers = []
  const engines = []
  try {
    for (let worker = 1; worker <= WORKERS; worker++) {
      const { environment, folder, started } = await startScratchEngines(processes, undo, `tests-${worker}`)
      workers.push({ environment, buckets: path.join(folder, 's3/data') })
      engines.push(...Object.values(started))
    }
    const TEST_ENGINES = JSON.stringify(workers)
    return await runJest(processes, ['distributed'], { patterns, workers: WORKERS, env: { ...env, TEST_ENGINES } })
  } finally {
    // What runs next needs the memory.
    await Promise.all(engines.map(engine => engine.stop()))
  }
}
