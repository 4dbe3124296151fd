import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fakeOnly } from '@holdfast/testing/fake-timers'
import { Interrupted } from './failure.js'
import { Processes } from './processes.js'
import { runTests } from './test-run.js'

let folder
let result
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-test-run-'))
  result = path.join(folder, 'result.json')
})
afterEach(() => {
  jest.useRealTimers()
  fs.rmSync(folder, { recursive: true })
})

/** Runs a program of tests that finds in RESULT where to write its result. */
const run = (program, processes = new Processes()) =>
  runTests(processes, 'journeys', ['-e', program], { cwd: folder, env: { RESULT: result }, result })
const writes = outcome => `fs.writeFileSync(process.env.RESULT, '${JSON.stringify(outcome)}');`

it('answers what the program has written', async () => {
  expect(await run(writes({ passed: 3, failures: [] }))).toEqual({ passed: 3, failures: [] })
})

it('counts a program that fails without naming a failure, or that writes nothing, as one failure', async () => {
  expect(await run('')).toEqual({ passed: 0, failures: ['journeys ended with exit code 0 and wrote no result'] })
  const failed = await run(`${writes({ passed: 3, failures: [] })} process.exit(2)`)
  expect(failed).toEqual({ passed: 3, failures: ['journeys ended with exit code 2'] })
})

it('stops a program that does not end', async () => {
  fakeOnly('setTimeout', 'clearTimeout')
  const running = run('setInterval(() => {}, 1_000)')
  jest.advanceTimersByTime(30 * 60_000)
  expect(await running).toEqual({
    passed: 0,
    failures: ['journeys was stopped after 30 minutes and wrote no result'],
  })
})

it('answers nothing when the person has asked the run to stop', async () => {
  const processes = new Processes()
  const running = run('setInterval(() => {}, 1_000)', processes)
  await Promise.all([processes.close(new Promise(() => {})), expect(running).rejects.toThrow(Interrupted)])
})
