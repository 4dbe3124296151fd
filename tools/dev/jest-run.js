import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Interrupted } from './failure.js'
import { say } from './output.js'
import { ROOT } from './settings.js'

const JEST = path.join(ROOT, 'node_modules/jest/bin/jest.js')
// More than the two processors of a small machine, because many integration tests wait for a time-out.
const WORKERS = 3
// A test that leaves a handle open would make Jest wait for ever.
const DEADLINE_MS = 15 * 60_000
// On a busy machine, migrating a database and booting a service takes many seconds.
const TEST_TIMEOUT_MS = 60_000

/**
 * Runs Jest on some of its projects, shows its output, and answers `{ passed, failed }`. A file that could not be
 * loaded counts as one failure, and so does a run that does not end.
 * @param {import('./processes.js').Processes} processes
 */
export async function runJest(processes, projects, { patterns = [], env = {}, workers = WORKERS } = {}) {
  const report = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-jest-')), 'report.json')
  const node = ['--experimental-vm-modules', '--no-warnings=ExperimentalWarning', JEST]
  const options = [`--maxWorkers=${workers}`, `--testTimeout=${TEST_TIMEOUT_MS}`, '--json', `--outputFile=${report}`]
  // Without the two dashes Jest would read a pattern as one more project.
  const { exited, pid } = processes.spawn(
    'jest',
    process.execPath,
    [...node, ...options, '--selectProjects', ...projects, '--', ...patterns],
    { cwd: ROOT, env: { ...process.env, ...env }, output: process.stderr.fd },
  )
  const timer = setTimeout(() => {
    say(`  Jest has not ended after ${DEADLINE_MS / 60_000} minutes: a test leaves a handle open. It is stopped now.`)
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
