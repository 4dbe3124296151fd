import fs from 'node:fs'
import { endWhenSilent } from './answer-watch.js'
import { Failure } from './failure.js'
import { lastLines } from './logs.js'
import { dim, say, sayFailure } from './output.js'
import { STOPS } from './processes.js'
import { entryOf, nodeOptionsOf } from './topology.js'
import { until } from './wait.js'

const PARENT_WATCH = new URL('./parent-watch.js', import.meta.url).href

const TIMING = {
  // The pauses before a process is started again. They double with each death in a row.
  firstPauseMs: 500,
  longestPauseMs: 60_000,
  // A process that ran for this long was well: its next death counts as the first again.
  wellAfterMs: 30_000,
  lookAgainMs: 500,
  // How often a process is asked whether it serves, and after how many asks in a row without an answer it is ended.
  askEveryMs: 3_000,
  silentAsks: 10,
}

/** At this death in a row the end of the process's log is shown, because it probably does not recover by itself. */
const LOG_SHOWN_AT = 6

/**
 * Keeps the long-lived processes running. A process that ends before `settled()` is called ends the start. One that ends
 * later is started again, for as long as the launcher runs: the other processes serve meanwhile. The pauses between starts
 * grow up to a minute. An end while something hindered the process, such as a full disk, does not count.
 */
export class Supervisor {
  #processes
  #logs
  #hindranceOf
  #timing
  #preloads
  #settled = false
  #fail

  /**
   * @param {(name: string) => Promise<string | null>} hindranceOf why a process that ended could not start again now, as
   * a clause of a sentence; null when it could
   * @param {Partial<typeof TIMING>} timing for tests
   * @param {string | null} preload a module that every process loads first
   */
  constructor(processes, logs, hindranceOf, timing = {}, preload = null) {
    this.#processes = processes
    this.#logs = logs
    this.#hindranceOf = hindranceOf
    this.#timing = { ...TIMING, ...timing }
    this.#preloads = [...(preload ? [preload] : []), PARENT_WATCH].flatMap(module => ['--import', module])
    /** Rejects when the start cannot go on. */
    this.failed = new Promise((_, reject) => {
      this.#fail = reject
    })
    // The start listens to it later; until then Node must not report a rejection as unhandled.
    this.failed.catch(() => {})
  }

  /**
   * Starts one of the product's own Node processes and watches it.
   * @param {string} [instance] what a replica is called
   */
  startNode(name, env, instance = name) {
    const start = async () => {
      const log = this.#logs.open(instance)
      const args = [...nodeOptionsOf(name), ...this.#preloads, entryOf(name)]
      const options = {
        env,
        output: log.descriptor,
        tied: true,
        stops: name === 'gateway' ? STOPS.ingress : STOPS.services,
      }
      const entry = this.#processes.spawn(instance, process.execPath, args, options)
      fs.closeSync(log.descriptor)
      return { entry, log }
    }
    this.#keep(name, start(), start, instance)
  }

  /**
   * Watches a process that was started already, and starts it again with `startAgain` when it dies or no longer answers. When
   * `startAgain` rejects, that counts as one more death.
   * @param {() => Promise<boolean>} answers whether the process serves
   */
  watch(name, entry, startAgain, answers) {
    const watched = entry => {
      endWhenSilent(this.#processes, entry, answers, this.#timing).catch(this.#fail)
      return { entry }
    }
    this.#keep(name, watched(entry), async () => watched(await startAgain()))
  }

  /** To be called when the product is up: from then on a process that ends is started again. */
  settled() {
    this.#settled = true
  }

  async #keep(service, first, startAgain, name = service) {
    let began = Date.now()
    let deaths = 0
    try {
      let current = await first
      for (;;) {
        const exit = await current.entry.exited
        if (this.#processes.closing) return
        if (!this.#settled) throw couldNotStart(name, exit, current.log)
        if (Date.now() - began > this.#timing.wellAfterMs) deaths = 0
        const hindrance = await this.#hindranceOf(service)
        if (hindrance) {
          say(`  ! ${name} ended (${reasonOf(exit)}), and ${hindrance}: it starts again once that is over`)
          await this.#untilNothingHinders(service)
        } else await this.#pauseAfterDeath(name, `ended unexpectedly (${reasonOf(exit)})`, ++deaths, current.log)
        current = null
        while (!current) {
          if (this.#processes.closing) return
          began = Date.now()
          current = await startAgain().catch(error => {
            if (!this.#processes.closing) sayFailure(error)
          })
          if (!current) await this.#pauseAfterDeath(name, 'could not start', ++deaths)
        }
      }
    } catch (error) {
      if (!this.#processes.closing) this.#fail(error)
    }
  }

  /** Says what happened and waits before the next start. `deaths` counts those in a row. */
  async #pauseAfterDeath(name, what, deaths, log) {
    const { firstPauseMs, longestPauseMs } = this.#timing
    const pause = Math.min(firstPauseMs * 2 ** (deaths - 1), longestPauseMs)
    const times = deaths > 1 ? `, ${deaths} times in a row` : ''
    say(`  ! ${name} ${what}${times}; it starts again ${dim(`in ${pause / 1000} s`)}`)
    if (log && deaths === LOG_SHOWN_AT) say(`   ${endOf(log)}`, ...lastLines(log).map(line => `    ${line}`))
    await this.#untilClosing(pause)
  }

  #untilClosing(withinMs) {
    return until(() => this.#processes.closing, { withinMs, everyMs: Math.min(withinMs, this.#timing.lookAgainMs) })
  }

  #untilNothingHinders(name) {
    return until(async () => this.#processes.closing || !(await this.#hindranceOf(name)), {
      withinMs: Infinity,
      everyMs: this.#timing.lookAgainMs,
    })
  }
}

function couldNotStart(name, exit, log) {
  return new Failure(`${name} could not start (${reasonOf(exit)}).${endOf(log)}`, log ? lastLines(log) : [])
}

const endOf = log => (log ? ` The end of ${log.file}:` : '')

const reasonOf = ({ code, signal, error }) => error?.message ?? (signal ? `killed by ${signal}` : `exit code ${code}`)
