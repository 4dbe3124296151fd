import fs from 'node:fs'
import { Interrupted } from './failure.js'
import { bold, say, sayFailure, seconds } from './output.js'

/**
 * What came out of some tests.
 * @typedef {{ passed: number, failures: string[] }} Outcome a failure is the name of what failed, and in further lines why
 */

/** What a run of tests consists of, with what came out of each part. */
export class Suites {
  /** @type {(Outcome & { title: string })[]} */
  #parts = []
  #began = performance.now()

  /**
   * Runs a part under its title, and keeps what came out of it. A part that throws counts as one failure, shown at once; the other
   * parts still run. Answers whether it passed.
   * @param {string} title
   * @param {() => Promise<Outcome>} work
   * @throws Interrupted when the person has asked the run to stop
   */
  async part(title, work) {
    say('', bold(title), '')
    const outcome = await work().catch(error => {
      if (error instanceof Interrupted) throw error
      sayFailure(error)
      return { passed: 0, failures: [textOf(error)] }
    })
    this.#parts.push({ title, ...outcome })
    return outcome.failures.length === 0
  }

  /** As `part`, for what is needed by the tests and is no test. */
  prepare(title, work) {
    return this.part(title, () => work().then(() => ({ passed: 0, failures: [] })))
  }

  /**
   * Prints what failed and then `N passed, N failed`, last, since a long log is often kept without its beginning. Writes the outcome as JSON
   * to the file named in TEST_RESULT, if any. Answers the status with which the process ends.
   */
  report() {
    const passed = this.#parts.reduce((sum, part) => sum + part.passed, 0)
    const failures = this.#parts.flatMap(part => part.failures.map(failure => `${part.title} › ${failure}`))
    say('', bold(`After ${seconds(performance.now() - this.#began)}`))
    for (const part of this.#parts) {
      say(`  ${part.title.padEnd(44)} ${part.passed} passed, ${part.failures.length} failed`)
    }
    writeOutcome({ passed, failures })
    say('', ...closingLines({ passed, failures }))
    return failures.length === 0 ? 0 : 1
  }
}

/** The last lines of a run: what failed, and the counts. @param {Outcome} outcome */
export const closingLines = ({ passed, failures }) => [
  ...failures.flatMap(listed),
  `${passed} passed, ${failures.length} failed`,
]

/** Writes an outcome as JSON to the file named in TEST_RESULT, if any. @param {Outcome} outcome */
export function writeOutcome(outcome) {
  if (process.env.TEST_RESULT) fs.writeFileSync(process.env.TEST_RESULT, JSON.stringify(outcome))
}

/** An error as one text: its message, and the details of a Failure. */
export const textOf = error => [error.message, ...(error.details ?? [])].join('\n')

/** The lines with which a failure stands in a list. */
export const listed = failure => `✗ ${failure}`.split('\n').map((line, i) => (i === 0 ? `  ${line}` : `      ${line}`))
