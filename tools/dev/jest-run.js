import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Interrupted } from './failure.js'
import { say } from './output.js'
import { ROOT } from './settings.js'

const JEST = path.join(ROOT, 'node_modules/jest/bin/jest.js')
const WORKERS = 2
// A test that leaves something open would let Jest wait forever.
const DEADLINE_MS = 15 * 60_000
// Migrating a database and booting a service takes seconds on a machine that does other things, too.
const TEST_TIMEOUT_MS = 60_000

/**
 * Runs Jest on some of its projects, with its words shown as they come, and answers `{ passed, failed }`. A file that
 * could not even be loaded counts as one failure, and so does a run that does not end.
 * @param {import('./processes.js').Processes} processes
 */
export async function runJest(processes, projects, { patterns = [], env = {} } = {}) {
  const report = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-jest-')), 'report.json')
  const node = ['--experimental-vm-modules', '--no-warnings=ExperimentalWarning', JEST]
  const options = [`--maxWorkers=${WORKERS}`, `--testTimeout=${TEST_TIMEOUT_MS}`, '--json', `--outputFile=${report}`]
  // The two dashes keep a pattern from being taken for one more project.
  const { exited, pid } = processes.spawn(
    'jest',
    process.execPath,
    [...node, ...options, '--selectProjects', ...projects, '--', ...patterns],
    { cwd: ROOT, env: { ...process.env, ...env }, output: process.stderr.fd },
  )
  const timer = setTimeout(() => {
    say(`  Jest does not end after ${DEADLINE_MS / 60_000} minutes: a test leaves something open. It is stopped.`)
    process.kill(pid, 'SIGKILL')
  }, DEADLINE_MS)
  const { code } = await exited
  clearTimeout(timer)
  if (processes.closing) throw new Interrupted()
  return readReport(report, code)
}

function readReport(file, code) {
  if (!fs.existsSync(file)) return { passed: 0, failed: 1 }
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(fs.readFileSync(file, 'utf8'))
  fs.rmSync(path.dirname(file), { recursive: true })
  const failed = numFailedTests + numRuntimeErrorTestSuites
  return { passed: numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed }
}
