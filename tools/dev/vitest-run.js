import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ROOT } from './settings.js'
import { runTests } from './test-run.js'

/** @typedef {import('./suites.js').Outcome} Outcome */

const VITEST = path.join(ROOT, 'node_modules/vitest/vitest.mjs')
// More than the two processors of a small machine, because many integration tests wait for a time-out.
const WORKERS = 3
/** The first lines of a message say what was wrong. The stack is in the log. */
const LINES_OF_MESSAGE = 4

/**
 * Runs Vitest on some projects of `vitest.config.js`, shows its output, and answers what came out. A file that could not be
 * loaded counts as one failure, and so does a run that does not end. Errors outside of any test make Vitest fail without naming a failure.
 * @param {import('./processes.js').Processes} processes
 * @param {string[]} projects
 * @param {{ patterns?: string[] | undefined, env?: Record<string, string>, workers?: number }} options
 * @returns {Promise<Outcome>}
 */
export async function runVitest(processes, projects, { patterns = [], env = {}, workers = WORKERS } = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-vitest-'))
  try {
    const result = path.join(folder, 'report.json')
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${result}`]
    const selected = projects.map(name => `--project=${name}`)
    const args = [VITEST, 'run', `--maxWorkers=${workers}`, ...reporters, ...selected, ...patterns]
    return await runTests(processes, 'Vitest', args, { cwd: ROOT, env, result }, outcomeOf)
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * What a JSON report of Vitest says.
 * @returns {Outcome}
 */
export function outcomeOf({ numPassedTests, testResults }) {
  const failures = testResults.filter(isFailed).flatMap(({ name, message, assertionResults }) => {
    const place = path.relative(ROOT, name)
    const tests = assertionResults.filter(isFailed)
    if (tests.length === 0) return [withReason(place, message)]
    return tests.map(({ fullName, failureMessages }) => withReason(`${place} › ${fullName}`, failureMessages[0] ?? ''))
  })
  return { passed: numPassedTests, failures }
}

const isFailed = ({ status }) => status === 'failed'

const withReason = (name, message) =>
  [name, ...stripVTControlCharacters(message).split('\n').slice(0, LINES_OF_MESSAGE)].join('\n')
