import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Interrupted } from './failure.js'
import { isDiskTrouble } from './preflight.js'
import { identityOf } from './process-identity.js'
import { until } from './wait.js'

/** The order in which processes stop: the gateway, so that no new requests arrive, then the services, then the database. */
export const STOPS = { ingress: 0, services: 1, database: 2 }

const STOP_DEADLINE_MS = 25_000
const KILL_DEADLINE_MS = 10_000
const LEFTOVER_DEADLINE_MS = 25_000
const LEFTOVER_STEP_MS = 50

/**
 * @typedef {object} SpawnOptions
 * @property {Record<string, string | undefined>} [env]
 * @property {string} [cwd]
 * @property {number | 'inherit'} [output] where what it prints goes
 * @property {boolean} [tied]
 * @property {{ uid?: number, gid?: number }} [ids] who runs it
 * @property {number} [stops] when it stops, one of `STOPS`
 * @property {NodeJS.Signals} [stopSignal]
 */

/**
 * A process that was started.
 *
 * @typedef {object} Entry
 * @property {string} name
 * @property {number | undefined} pid none when it did not start at all
 * @property {import('node:child_process').ChildProcess} child
 * @property {number} stops
 * @property {NodeJS.Signals} stopSignal
 * @property {boolean} ended
 * @property {Promise<{ code: number | null, signal: NodeJS.Signals | null, error: NodeJS.ErrnoException | null }>} exited
 */

/**
 * The running processes that this launcher started. Each leads its own process group, so that Ctrl-C in the terminal reaches
 * only the launcher, which then stops them in order.
 */
export class Processes {
  #running = new Map()
  #closing = false
  #record = null

  /** Also writes the running processes to `file`, for the next launcher after a kill -9. */
  recordIn(file) {
    this.#record = file
  }

  get closing() {
    return this.#closing
  }

  /**
   * Starts a process. `stdout` and `stderr` go to the descriptor `output`, or to pipes without one. With `tied` the
   * process is connected by an IPC channel, which closes when the launcher dies. Answers `{ name, pid, child, exited }`; `exited`
   * resolves to `{ code, signal, error }` and never rejects. Throws Interrupted once the stop has begun.
   *
   * @param {string} name
   * @param {string} command
   * @param {string[]} args
   * @param {SpawnOptions} options
   */
  spawn(
    name,
    command,
    args,
    { env, cwd, output, tied = false, ids = {}, stops = STOPS.ingress, stopSignal = 'SIGTERM' },
  ) {
    if (this.#closing) throw new Interrupted()
    /** @type {import('node:child_process').StdioOptions} */
    const stdio = ['ignore', output ?? 'pipe', output ?? 'pipe', ...(tied ? [/** @type {const} */ ('ipc')] : [])]
    /** @type {import('node:child_process').ChildProcess} */
    const child = spawn(command, args, {
      env,
      cwd,
      ...ids,
      detached: true,
      stdio,
    })
    const exited = exitOf(child).then(exit => {
      entry.ended = true
      this.#forget(entry)
      return exit
    })
    /** @type {Entry} */
    const entry = { name, pid: child.pid, child, stops, stopSignal, ended: false, exited }
    // Without a pid it did not start at all, and `exited` says why.
    if (entry.pid !== undefined) {
      this.#running.set(entry.pid, entry)
      this.#remember()
    }
    return entry
  }

  /**
   * Stops everything in order and resolves when no process runs. When `hurry` resolves, processes that have not ended are
   * killed; the database still shuts down properly, which takes a moment.
   */
  async close(hurry) {
    this.#closing = true
    for (const stops of Object.values(STOPS)) {
      const group = [...this.#running.values()].filter(entry => entry.stops === stops)
      await Promise.all(group.map(entry => stop(entry, hurry)))
    }
  }

  /** Ends a process that no longer serves, without the time that a stop gives it to finish its work. */
  end(entry) {
    return kill(entry)
  }

  #forget(entry) {
    if (entry.pid === undefined) return
    // Also ends what a task such as npm started and left running.
    sendSignal(-entry.pid, 'SIGKILL')
    this.#running.delete(entry.pid)
    this.#remember()
  }

  // Without the database: the next launcher finds an orphaned one through PostgreSQL's pid file.
  #remember() {
    if (this.#record === null) return
    const rows = [...this.#running.values()].filter(entry => entry.stops !== STOPS.database)
    const text = JSON.stringify(rows.map(({ name, pid }) => ({ name, pid, identity: identityOf(pid) })))
    try {
      // Renamed, so that a reader finds the whole record.
      fs.writeFileSync(`${this.#record}.new`, text)
      fs.renameSync(`${this.#record}.new`, this.#record)
    } catch (error) {
      // A full disk must not stop the product. Without the record, the launcher after a kill -9 knows less.
      if (!isDiskTrouble(error)) throw error
    }
  }
}

/**
 * Waits until the processes of a killed launcher have ended, as they do by themselves once it is gone, and kills those that
 * have not. `onWait` gets their names.
 */
export async function endLeftovers(file, onWait) {
  if (!fs.existsSync(file)) return
  const alive = () => readRecord(file).filter(row => row.identity !== null && identityOf(row.pid) === row.identity)
  if (alive().length === 0) return
  onWait(alive().map(row => row.name))
  const gone = () => alive().length === 0
  if (await until(gone, { withinMs: LEFTOVER_DEADLINE_MS, everyMs: LEFTOVER_STEP_MS })) return
  for (const { pid } of alive()) sendSignal(-pid, 'SIGKILL')
  await until(gone, { withinMs: KILL_DEADLINE_MS, everyMs: LEFTOVER_STEP_MS })
}

function readRecord(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch (error) {
    // The launcher was killed while it wrote the record. A process that still runs is then found by its port.
    if (error instanceof SyntaxError) return []
    throw error
  }
}

function exitOf(child) {
  return new Promise(resolve => {
    child.once('error', error => resolve({ code: null, signal: null, error }))
    child.once('exit', (code, signal) => resolve({ code, signal, error: null }))
  })
}

async function stop(entry, hurry) {
  const isDatabase = entry.stops === STOPS.database
  sendSignal(entry.pid, entry.stopSignal)
  const patience = [entry.exited, sleep(STOP_DEADLINE_MS, undefined, { ref: false })]
  await Promise.race(isDatabase ? patience : [...patience, hurry])
  if (entry.ended) return
  await kill(entry)
}

// On SIGQUIT PostgreSQL ends at once and recovers from its log at the next start.
async function kill(entry) {
  sendSignal(entry.pid, entry.stops === STOPS.database ? 'SIGQUIT' : 'SIGKILL')
  await Promise.race([entry.exited, sleep(KILL_DEADLINE_MS, undefined, { ref: false })])
  if (entry.ended) return
  sendSignal(-entry.pid, 'SIGKILL')
  await entry.exited
}

/** Sends a signal. Answers false when the process has ended. */
export function sendSignal(pid, name) {
  try {
    process.kill(pid, name)
    return true
  } catch (error) {
    // It has ended meanwhile (macOS answers EPERM for a group of zombies).
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error
    return false
  }
}
