import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Interrupted } from './failure.js'
import { say } from './output.js'
import { ROOT } from './settings.js'

const VITEST = path.join(ROOT, 'node_modules/vitest/vitest.mjs')
// More than the two processors of a small machine, because many integration tests wait for a time-out.
const WORKERS = 3
// A test that never ends must not stop the others for ever.
const DEADLINE_MS = 15 * 60_000

/**
 * Runs Vitest on some projects of `vitest.config.js`, shows its output, and answers `{ passed, failed }`. A file that could not be
 * loaded counts as one failure, and so does a run that does not end.
 * @param {import('./processes.js').Processes} processes
 */
export async function runVitest(processes, projects, { patterns = [], env = {}, workers = WORKERS } = {}) {
  const report = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-vitest-')), 'report.json')
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
  if (processes.closing) throw new Interrupted()
  return readReport(report, code)
}

function readReport(file, code) {
  if (!fs.existsSync(file)) return { passed: 0, failed: 1 }
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(fs.readFileSync(file, 'utf8'))
  fs.rmSync(path.dirname(file), { recursive: true })
  const isFailed = ({ status }) => status === 'failed'
  const unloaded = testResults.filter(each => isFailed(each) && !each.assertionResults.some(isFailed))
  const failed = numFailedTests + unloaded.length
  return { passed: numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed }
}
