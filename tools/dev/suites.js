import fs from 'node:fs'
import { Failure } from './failure.js'
import { bold, say, sayFailure, seconds } from './output.js'

/** What a run of tests consists of, with what came out of each part. */
export class Suites {
  #counts = []
  #began = performance.now()

  /**
   * Runs a part under its title, and counts what it answers (`{ passed, failed }`). A part that throws a Failure counts as one failure,
   * shown at once; the other parts still run. Answers whether it passed.
   * @param {string} title
   * @param {() => Promise<{ passed: number, failed: number }>} work
   */
  async part(title, work) {
    say('', bold(title), '')
    const result = await work().catch(error => {
      if (!(error instanceof Failure)) throw error
      sayFailure(error)
      return { passed: 0, failed: 1 }
    })
    this.#counts.push({ title, ...result })
    return result.failed === 0
  }

  /** As `part`, for what is needed by the tests and is no test. */
  prepare(title, work) {
    return this.part(title, () => work().then(() => ({ passed: 0, failed: 0 })))
  }

  /**
   * Prints `N passed, N failed` at the end, and writes the same two numbers as JSON to the file named in TEST_RESULT, if any. Answers the
   * status with which the process ends.
   */
  report() {
    const passed = this.#counts.reduce((sum, part) => sum + part.passed, 0)
    const failed = this.#counts.reduce((sum, part) => sum + part.failed, 0)
    say('', bold(`After ${seconds(performance.now() - this.#began)}`))
    for (const part of this.#counts) say(`  ${part.title.padEnd(44)} ${part.passed} passed, ${part.failed} failed`)
    if (process.env.TEST_RESULT) fs.writeFileSync(process.env.TEST_RESULT, JSON.stringify({ passed, failed }))
    say('', `${passed} passed, ${failed} failed`)
    return failed === 0 ? 0 : 1
  }
}
