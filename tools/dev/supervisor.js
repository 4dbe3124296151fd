import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from './failure.js'
import { lastLines } from './logs.js'
import { dim, say } from './output.js'
import { STOPS } from './processes.js'
import { entryOf, nodeOptionsOf } from './topology.js'
import { until } from './wait.js'

const PARENT_WATCH = new URL('./parent-watch.js', import.meta.url).href
const RESTARTS_MAX = 5
const RESTARTS_WINDOW_MS = 5 * 60_000
const BACKOFF_FIRST_MS = 500
const BACKOFF_MAX_MS = 10_000
const LOOK_AGAIN_MS = 500

/**
 * Keeps the long-lived processes running. A process that ends before `settled()` is called ends the start. One that ends
 * later is started again, with growing pauses and a bounded number of times. An end while something hindered the process,
 * such as a full disk, does not count.
 */
export class Supervisor {
  #processes
  #logs
  #hindranceOf
  #settled = false
  #fail

  /**
   * @param {(name: string) => Promise<string | null>} hindranceOf why a process that ended could not start again now, as
   * a clause of a sentence; null when it could
   */
  constructor(processes, logs, hindranceOf) {
    this.#processes = processes
    this.#logs = logs
    this.#hindranceOf = hindranceOf
    /** Rejects when the product cannot go on. */
    this.failed = new Promise((_, reject) => {
      this.#fail = reject
    })
    // The start listens to it later; until then Node must not report a rejection as unhandled.
    this.failed.catch(() => {})
  }

  /** Starts one of the product's own Node processes and watches it. */
  startNode(name, env) {
    const start = () => {
      const log = this.#logs.open(name)
      const args = [...nodeOptionsOf(name), '--import', PARENT_WATCH, entryOf(name)]
      const options = {
        env,
        output: log.descriptor,
        tied: true,
        stops: name === 'gateway' ? STOPS.ingress : STOPS.services,
      }
      const entry = this.#processes.spawn(name, process.execPath, args, options)
      fs.closeSync(log.descriptor)
      return { entry, log }
    }
    this.#keep(name, start(), start)
  }

  /** Watches a process that was started already, and starts it again with `startAgain` when it dies. */
  watch(name, entry, startAgain) {
    this.#keep(name, { entry }, async () => ({ entry: await startAgain() }))
  }

  /** To be called when the product is up: from then on a process that ends is started again. */
  settled() {
    this.#settled = true
  }

  async #keep(name, first, startAgain) {
    let current = first
    let deaths = []
    try {
      for (;;) {
        const exit = await current.entry.exited
        if (this.#processes.closing) return
        if (!this.#settled) throw couldNotStart(name, exit, current.log)
        const hindrance = await this.#hindranceOf(name)
        if (hindrance) {
          say(`  ! ${name} ended (${reasonOf(exit)}), and ${hindrance}: it starts again once that is over`)
          await until(async () => this.#processes.closing || !(await this.#hindranceOf(name)), {
            withinMs: Infinity,
            everyMs: LOOK_AGAIN_MS,
          })
        } else {
          deaths = [...deaths.filter(at => Date.now() - at < RESTARTS_WINDOW_MS), Date.now()]
          if (deaths.length > RESTARTS_MAX) throw keepsDying(name, exit, current.log)
          const pause = Math.min(BACKOFF_FIRST_MS * 2 ** (deaths.length - 1), BACKOFF_MAX_MS)
          say(`  ! ${name} ended unexpectedly (${reasonOf(exit)}); it starts again ${dim(`in ${pause / 1000} s`)}`)
          await sleep(pause)
        }
        if (this.#processes.closing) return
        current = await startAgain()
      }
    } catch (error) {
      if (!this.#processes.closing) this.#fail(error)
    }
  }
}

function couldNotStart(name, exit, log) {
  return new Failure(`${name} could not start (${reasonOf(exit)}).${endOf(log)}`, log ? lastLines(log) : [])
}

function keepsDying(name, exit, log) {
  return new Failure(
    `${name} ended ${RESTARTS_MAX + 1} times in ${RESTARTS_WINDOW_MS / 60_000} minutes (${reasonOf(exit)}), so everything is stopped.${endOf(log)}`,
    log ? lastLines(log) : [],
  )
}

const endOf = log => (log ? ` The end of ${log.file}:` : '')

const reasonOf = ({ code, signal, error }) => error?.message ?? (signal ? `killed by ${signal}` : `exit code ${code}`)
