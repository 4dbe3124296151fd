import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { Interrupted } from './failure.js'
import { isDiskTrouble } from './preflight.js'
import { identityOf } from './process-identity.js'
import { until } from './wait.js'

/** In which order things stop: what lets work in, then those who do it, then what keeps it. */
export const STOPS = { door: 0, work: 1, data: 2 }

const STOP_DEADLINE_MS = 25_000
const KILL_DEADLINE_MS = 10_000
const LEFTOVER_DEADLINE_MS = 25_000
const LEFTOVER_STEP_MS = 50

/**
 * Every process this launcher started and that still runs. They lead process groups of their own, so that Ctrl-C in
 * the terminal reaches only the launcher, which then stops them in order.
 */
export class Processes {
  #running = new Map()
  #closing = false
  #record = null

  /** From now on the running processes are also written to `file`, for the launcher that comes after a kill -9. */
  recordIn(file) {
    this.#record = file
  }

  get closing() {
    return this.#closing
  }

  /**
   * Starts a process. `stdout` and `stderr` go to the descriptor `output`, or to pipes without one. With `tied` the
   * process learns through its IPC channel when the launcher dies. Answers `{ name, pid, child, exited }`; `exited`
   * resolves to `{ code, signal, error }` and never rejects. Throws Interrupted once the stop has begun.
   */
  spawn(name, command, args, { env, cwd, output, tied = false, ids = {}, stops = STOPS.door, stopSignal = 'SIGTERM' }) {
    if (this.#closing) throw new Interrupted()
    const child = spawn(command, args, {
      env,
      cwd,
      ...ids,
      detached: true,
      stdio: ['ignore', output ?? 'pipe', output ?? 'pipe', ...(tied ? ['ipc'] : [])],
    })
    const entry = { name, pid: child.pid, child, stops, stopSignal, ended: false }
    entry.exited = exitOf(child).then(exit => {
      entry.ended = true
      this.#forget(entry)
      return exit
    })
    // Without a pid it did not start at all, and `exited` says why.
    if (entry.pid !== undefined) {
      this.#running.set(entry.pid, entry)
      this.#remember()
    }
    return entry
  }

  /**
   * Stops everything in order and resolves when nothing runs any more. When `hurry` resolves, what has not drained
   * yet is killed; a database is still shut down properly, which takes it a moment.
   */
  async close(hurry) {
    this.#closing = true
    for (const stops of Object.values(STOPS)) {
      const group = [...this.#running.values()].filter(entry => entry.stops === stops)
      await Promise.all(group.map(entry => stop(entry, hurry)))
    }
  }

  #forget(entry) {
    if (entry.pid === undefined) return
    // Whatever a task such as npm or nx started and left behind goes with it.
    signal(-entry.pid, 'SIGKILL')
    this.#running.delete(entry.pid)
    this.#remember()
  }

  // Without the database: an orphaned one is found and stopped through its own pid file.
  #remember() {
    if (this.#record === null) return
    const rows = [...this.#running.values()].filter(entry => entry.stops !== STOPS.data)
    const text = JSON.stringify(rows.map(({ name, pid }) => ({ name, pid, identity: identityOf(pid) })))
    try {
      fs.writeFileSync(this.#record, text)
    } catch (error) {
      // A full disk must not take the product down: without the record a launcher after a kill -9 only knows less.
      if (!isDiskTrouble(error)) throw error
    }
  }
}

/**
 * Waits until the processes a killed launcher left behind have drained, as they do by themselves once it is gone, and
 * kills those that do not. `onWait` is told their names.
 */
export async function endLeftovers(file, onWait) {
  if (!fs.existsSync(file)) return
  const alive = () => readRecord(file).filter(row => row.identity !== null && identityOf(row.pid) === row.identity)
  if (alive().length === 0) return
  onWait(alive().map(row => row.name))
  const gone = () => alive().length === 0
  if (await until(gone, { withinMs: LEFTOVER_DEADLINE_MS, everyMs: LEFTOVER_STEP_MS })) return
  for (const { pid } of alive()) signal(-pid, 'SIGKILL')
  await until(gone, { withinMs: KILL_DEADLINE_MS, everyMs: LEFTOVER_STEP_MS })
}

function readRecord(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch (error) {
    // Killed while it wrote the record: then there is none, and the ports tell if something is still there.
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
  const isDatabase = entry.stops === STOPS.data
  signal(entry.pid, entry.stopSignal)
  const patience = [entry.exited, sleepQuietly(STOP_DEADLINE_MS)]
  await Promise.race(isDatabase ? patience : [...patience, hurry])
  if (entry.ended) return
  // SIGQUIT is PostgreSQL's word for "at once": it recovers from its log at the next start.
  signal(entry.pid, isDatabase ? 'SIGQUIT' : 'SIGKILL')
  await Promise.race([entry.exited, sleepQuietly(KILL_DEADLINE_MS)])
  if (entry.ended) return
  signal(-entry.pid, 'SIGKILL')
  await entry.exited
}

function sleepQuietly(ms) {
  return new Promise(resolve => setTimeout(resolve, ms).unref())
}

function signal(pid, name) {
  try {
    process.kill(pid, name)
  } catch (error) {
    // It ended by itself in the meantime, which is what was wanted (macOS answers EPERM for a group of zombies).
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error
  }
}
