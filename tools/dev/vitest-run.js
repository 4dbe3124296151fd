import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { Interrupted } from './failure.js'
import { say } from './output.js'
import { ROOT } from './settings.js'

/** @typedef {import('./suites.js').Outcome} Outcome */

const VITEST = path.join(ROOT, 'node_modules/vitest/vitest.mjs')
// More than the two processors of a small machine, because many integration tests wait for a time-out.
const WORKERS = 3
// A test that never ends must not stop the others for ever.
const DEADLINE_MS = 15 * 60_000
/** The first lines of a message say what was wrong. The stack is in the log. */
const LINES_OF_MESSAGE = 4

/**
 * Runs Vitest on some projects of `vitest.config.js`, shows its output, and answers what came out. A file that could not be
 * loaded counts as one failure, and so does a run that does not end.
 * @param {import('./processes.js').Processes} processes
 * @returns {Promise<Outcome>}
 */
export async function runVitest(processes, projects, { patterns = [], env = {}, workers = WORKERS } = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-vitest-'))
  const report = path.join(folder, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const selected = projects.map(name => `--project=${name}`)
  const { exited, pid } = processes.spawn(
    'vitest',
    process.execPath,
    [VITEST, 'run', `--maxWorkers=${workers}`, ...reporters, ...selected, ...patterns],
    { cwd: ROOT, env: { ...process.env, ...env }, output: process.stderr.fd },
  )
  const timer = setTimeout(() => {
    say(`  Vitest has not ended after ${DEADLINE_MS / 60_000} minutes. It is stopped now.`)
    process.kill(pid, 'SIGKILL')
  }, DEADLINE_MS)
  const { code } = await exited
  clearTimeout(timer)
  try {
    if (processes.closing) throw new Interrupted()
    return readReport(report, code)
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

function readReport(file, code) {
  if (!fs.existsSync(file)) return { passed: 0, failures: [`Vitest wrote no report (exit code ${code})`] }
  const outcome = outcomeOf(JSON.parse(fs.readFileSync(file, 'utf8')))
  // Vitest fails for errors outside of any test, too.
  if (outcome.failures.length === 0 && code !== 0) outcome.failures.push(`Vitest ended with exit code ${code}`)
  return outcome
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
