import fs from 'node:fs'
import { Failure } from './failure.js'
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
   * Runs a part under its title, and keeps what came out of it. A part that throws a Failure counts as one failure, shown at once; the
   * other parts still run. Answers whether it passed.
   * @param {string} title
   * @param {() => Promise<Outcome>} work
   */
  async part(title, work) {
    say('', bold(title), '')
    const outcome = await work().catch(error => {
      if (!(error instanceof Failure)) throw error
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
    say('', ...failures.flatMap(listed), `${passed} passed, ${failures.length} failed`)
    return failures.length === 0 ? 0 : 1
  }
}

/** Writes an outcome as JSON to the file named in TEST_RESULT, if any. @param {Outcome} outcome */
export function writeOutcome(outcome) {
  if (process.env.TEST_RESULT) fs.writeFileSync(process.env.TEST_RESULT, JSON.stringify(outcome))
}

/** A Failure as one text. */
export const textOf = failure => [failure.message, ...failure.details].join('\n')

/** The lines with which a failure stands in a list. */
export const listed = failure => `✗ ${failure}`.split('\n').map((line, i) => (i === 0 ? `  ${line}` : `      ${line}`))
