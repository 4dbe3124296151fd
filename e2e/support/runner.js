import { stripVTControlCharacters } from 'node:util'

/** Long enough for a busy machine. A journey that passes never takes this long. */
const DEADLINE_MS = 300_000

/** A sentence about the product, and the function that proves it. */
class Journey {
  constructor(title, prove, { deadlineMs = DEADLINE_MS } = {}) {
    this.title = title
    this.prove = prove
    this.deadlineMs = deadlineMs
  }
}

/**
 * Runs journeys and counts them. The journeys of a lane run one after the other. Lanes run at the same time, so that a
 * journey that waits for a deadline does not delay others. Each journey and the whole run have a time limit; a journey that
 * has not ended by then counts as failed.
 */
export class Runner {
  #passed = 0
  #failures = []
  #running = new Set()

  get passed() {
    return this.#passed
  }

  get failed() {
    return this.#failures.length
  }

  /** What failed: the sentence of each journey, and in further lines why. */
  get failures() {
    return this.#failures.map(({ title, error }) => `${title}\n${messageOf(error)}`)
  }

  /**
   * @param {Journey[]} journeys
   * @param {{ only?: RegExp, signal?: AbortSignal }} options `only` selects journeys by their sentence
   */
  async lane(journeys, { only = /./, signal } = {}) {
    for (const journey of journeys) {
      if (signal?.aborted) return this.#note(journey, 0, new Error('the run ended before this journey'))
      if (only.test(journey.title)) await this.#run(journey)
    }
  }

  /**
   * Runs groups of journeys in `count` lanes. A lane takes the next group when its own has ended.
   *
   * @param {(() => { journeys: Journey[], close?: () => unknown })[]} groups `close` is called after the last journey
   */
  async lanes(count, groups, options) {
    const waiting = [...groups]
    const work = async () => {
      for (let open = waiting.shift(); open; open = waiting.shift()) {
        const { journeys, close } = open()
        await this.lane(journeys, options)
        await close?.()
      }
    }
    await Promise.all(Array.from({ length: count }, work))
  }

  /** Prints which journeys are left out, and why. */
  skip(journeys, { only = /./ }, why) {
    for (const { title } of journeys) if (only.test(title)) process.stdout.write(`  – ${title}: left out, ${why}\n`)
  }

  /** Counts an error outside of any journey as a failure. */
  fail(title, error) {
    this.#note({ title }, 0, error)
  }

  /** Counts the running journeys as failed, because the run ends now. */
  giveUp() {
    for (const journey of this.#running) this.#note(journey, 0, new Error('the whole run took too long'))
  }

  /** The list of failures, which is printed last. */
  summary() {
    const lines = this.#failures.map(
      ({ title, error }) => `  ✗ ${title}\n${indent(stripVTControlCharacters(error?.stack ?? String(error)))}`,
    )
    return [...lines, `  Journeys: ${this.passed} passed, ${this.failed} failed`].join('\n')
  }

  async #run(journey) {
    const began = performance.now()
    this.#running.add(journey)
    let timer
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`not done after ${journey.deadlineMs / 1000} s`)), journey.deadlineMs)
    })
    try {
      await Promise.race([journey.prove(), late])
      this.#note(journey, performance.now() - began)
    } catch (error) {
      this.#note(journey, performance.now() - began, error)
    } finally {
      clearTimeout(timer)
      this.#running.delete(journey)
    }
  }

  #note({ title }, ms, error) {
    if (error === undefined) this.#passed++
    else this.#failures.push({ title, error })
    process.stdout.write(`  ${error === undefined ? '✓' : '✗'} ${title} (${(ms / 1000).toFixed(1)} s)\n`)
    if (error !== undefined) process.stdout.write(`${indent(messageOf(error))}\n`)
  }
}

export const journey = (title, prove, options) => new Journey(title, prove, options)

const messageOf = error => stripVTControlCharacters(String(error?.message ?? error))

const indent = text =>
  text
    .split('\n')
    .map(line => `      ${line}`)
    .join('\n')
