import fs from 'node:fs'
import { Interrupted } from './failure.js'

// A test that never ends must not stop the others for ever. On a slow machine the journeys take 14 minutes.
const DEADLINE_MINUTES = 30

/**
 * Runs a program of tests on Node, which writes what came out of it into the file `result`, as JSON. Its output is shown. A program that
 * ends without a result, or fails without naming a failure, counts as one failure, and so does one that has to be stopped after 30 minutes.
 * @param {import('./processes.js').Processes} processes
 * @param {string} name
 * @param {string[]} args of Node
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, result: string }} options
 * @param {(result: any) => import('./suites.js').Outcome} outcomeOf reads the result
 * @returns {Promise<import('./suites.js').Outcome>}
 * @throws Interrupted when the person has asked the run to stop
 */
export async function runTests(processes, name, args, { cwd, env, result }, outcomeOf = written => written) {
  const { exited, pid } = processes.spawn(name, process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    output: process.stderr.fd,
  })
  /** @type {string | null} */
  let ending = null
  const timer = setTimeout(() => {
    ending = `was stopped after ${DEADLINE_MINUTES} minutes`
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
  }, DEADLINE_MINUTES * 60_000)
  const { code } = await exited
  clearTimeout(timer)
  if (processes.closing) throw new Interrupted()
  ending ??= `ended with exit code ${code}`
  if (!fs.existsSync(result)) return { passed: 0, failures: [`${name} ${ending} and wrote no result`] }
  const outcome = outcomeOf(JSON.parse(fs.readFileSync(result, 'utf8')))
  if (outcome.failures.length === 0 && code !== 0) outcome.failures.push(`${name} ${ending}`)
  return outcome
}
