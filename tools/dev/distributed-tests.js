import path from 'node:path'
import { startScratchEngines } from './distributed.js'
import { runVitest } from './vitest-run.js'

/** How many test files run at the same time. */
const WORKERS = 2

/**
 * Runs the integration tests of the services on Kafka, Redis and S3. Each worker of Vitest has engines of its own, so that test files which run
 * at the same time do not get one another's events.
 * @param {import('./processes.js').Processes} processes
 * @param {(() => unknown)[]} undo
 * @param {{ patterns?: string[], env: Record<string, string> }} options
 * @returns {Promise<import('./suites.js').Outcome>}
 */
export async function runOnEngines(processes, undo, { patterns, env }) {
  const engines = []
  for (let worker = 1; worker <= WORKERS; worker++) {
    const { environment, folder } = await startScratchEngines(processes, undo, `tests-${worker}`)
    engines.push({ environment, buckets: path.join(folder, 's3/data') })
  }
  const workers = { workers: WORKERS, env: { ...env, TEST_ENGINES: JSON.stringify(engines) } }
  return runVitest(processes, ['distributed'], { patterns, ...workers })
}
