import fs from 'node:fs'
import { Interrupted } from './failure.js'
import { bold, say, sayFailure, seconds } from './output.js'

/**
 * What came out of some tests.
 * @typedef {{ passed: number, failures: string[] }} Outcome a failure is the name of what failed, and in further lines why
 */

/** With more failures than these, the product is broken. */
const MOST_TRIED_AGAIN = 5

/** What a run of tests consists of, with what came out of each part. */
export class Suites {
  /** @type {(Outcome & { title: string, unsteady: string[], again?: (names: string[]) => Promise<Outcome> })[]} */
  #parts = []
  #began = performance.now()

  /**
   * Runs a part under its title, and keeps what came out of it. A part that throws counts as one failure, shown at once; the other
   * parts still run. Answers whether it passed.
   * @param {string} title
   * @param {() => Promise<Outcome>} work
   * @param {(names: string[]) => Promise<Outcome>} [again] runs the tests of these names, for `tryAgain`
   * @throws Interrupted when the person has asked the run to stop
   */
  async part(title, work, again) {
    const outcome = await outcomeOf(title, work)
    this.#parts.push({ title, ...outcome, unsteady: [], again })
    return outcome.failures.length === 0
  }

  /** As `part`, for what is needed by the tests and is no test. */
  prepare(title, work) {
    return this.part(title, () => work().then(() => ({ passed: 0, failures: [] })))
  }

  /**
   * In CI, runs once more what has failed, when nothing else runs any more. What passes now counts as passed, and the report names it: such a
   * test depends on the speed of the machine or on other tests, and has to be mended (ADR 135). With many failures of a part nothing of it is tried again.
   */
  async tryAgain() {
    if (!process.env.CI) return
    for (const part of this.#parts) {
      const names = part.failures.map(nameOf)
      if (!part.again || names.length === 0 || names.length > MOST_TRIED_AGAIN) continue
      const second = await outcomeOf(`${part.title}, once more`, () => part.again(names))
      const failedAgain = second.failures.map(nameOf)
      // Another failure, as of a run that ended early, says that not all of these tests have run.
      if (second.passed === 0 || !failedAgain.every(name => names.includes(name))) continue
      part.unsteady = part.failures.filter(failure => !failedAgain.includes(nameOf(failure)))
      part.failures = part.failures.filter(failure => failedAgain.includes(nameOf(failure)))
      part.passed += part.unsteady.length
    }
  }

  /**
   * Prints what failed and then `N passed, N failed`, last, since a long log is often kept without its beginning. Writes the outcome as JSON
   * to the file named in TEST_RESULT, if any. Answers the status with which the process ends.
   */
  report() {
    const passed = this.#parts.reduce((sum, part) => sum + part.passed, 0)
    const failures = this.#parts.flatMap(part => part.failures.map(failure => `${part.title} › ${failure}`))
    const unsteady = this.#parts.flatMap(part => part.unsteady.map(failure => `${part.title} › ${failure}`))
    say('', bold(`After ${seconds(performance.now() - this.#began)}`))
    for (const part of this.#parts) {
      say(`  ${part.title.padEnd(44)} ${part.passed} passed, ${part.failures.length} failed`)
    }
    writeOutcome({ passed, failures, unsteady })
    say('', ...closingLines({ passed, failures, unsteady }))
    return failures.length === 0 ? 0 : 1
  }
}

/** What came out of `work`, which has begun under its title. An error counts as one failure, shown at once. */
async function outcomeOf(title, work) {
  say('', bold(title), '')
  try {
    return await work()
  } catch (error) {
    if (error instanceof Interrupted) throw error
    sayFailure(error)
    return { passed: 0, failures: [textOf(error)] }
  }
}

const nameOf = failure => failure.split('\n', 1)[0]

/**
 * The last lines of a run: what passed only when it was tried again, what failed, and the counts.
 * @param {Outcome & { unsteady?: string[] }} outcome
 */
export function closingLines({ passed, failures, unsteady = [] }) {
  return [
    ...unsteady.flatMap(failure => listed(`${failure}\nIt passed when it was tried again, alone.`, '~')),
    ...failures.flatMap(failure => listed(failure)),
    `${passed} passed, ${failures.length} failed`,
  ]
}

/** Writes an outcome as JSON to the file named in TEST_RESULT, if any. @param {Outcome & { unsteady?: string[] }} outcome */
export function writeOutcome(outcome) {
  if (process.env.TEST_RESULT) fs.writeFileSync(process.env.TEST_RESULT, JSON.stringify(outcome))
}

/** An error as one text: its message, and the details of a Failure. */
export const textOf = error => [error.message, ...(error.details ?? [])].join('\n')

/** The lines with which a failure stands in a list. */
export const listed = (failure, mark = '✗') =>
  `${mark} ${failure}`.split('\n').map((line, i) => (i === 0 ? `  ${line}` : `      ${line}`))
