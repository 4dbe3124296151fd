import fs from 'node:fs'
import path from 'node:path'
import { Failure } from './failure.js'
import { identityOf } from './process-identity.js'
import { until } from './wait.js'

const ATTEMPTS_MAX = 5
const WAIT_MS = 10 * 60_000
const WAIT_STEP_MS = 500

/**
 * Makes this process the only launcher of a data folder. Answers the function that releases the folder.
 * Throws a Failure when another launcher runs on it.
 * @param {string} dataDir @param {string} url where this launcher's product will be, shown to a person who starts a second one
 */
export function takeDataDir(dataDir, url) {
  const lock = tryLock(path.join(dataDir, 'launcher.lock'), { url })
  if (lock.release) return lock.release
  throw new Failure(
    `Holdfast already runs with the data folder ${dataDir} (process ${lock.owner.pid}, ${lock.owner.url}): use that one, stop it, or choose another DATA_DIR and PORT.`,
  )
}

/**
 * Waits for its turn at `file` and answers the function that ends it: of two launchers of one checkout only one may
 * install, build and start at a time. `onWait` is called when it has to wait.
 */
export async function waitForTurn(file, onWait) {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const taken = await until(
    () => {
      const { release } = tryLock(file)
      if (!release) onWait()
      return release
    },
    { withinMs: WAIT_MS, everyMs: WAIT_STEP_MS },
  )
  if (taken) return taken
  throw new Failure(
    `Another launcher has been installing, building or starting for ${WAIT_MS / 60_000} minutes (${file}).`,
  )
}

/**
 * Takes the lock `file` for as long as this process lives: answers `{ release }`, or `{ owner }` when another process has it.
 * A lock whose owner no longer runs is stale and is taken over. `facts` are written into the lock for others to read.
 */
export function tryLock(file, facts = {}) {
  const mine = `${file}.${process.pid}`
  fs.writeFileSync(mine, JSON.stringify({ ...facts, pid: process.pid, identity: identityOf(process.pid) }))
  try {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      // Linking is atomic, so no process ever reads a half-written lock.
      if (linked(mine, file)) return { release: releaseOf(file) }
      const owner = readLock(file)
      if (owner?.identity && identityOf(owner.pid) === owner.identity) return { owner }
      discardStale(file, owner)
    }
  } finally {
    fs.rmSync(mine, { force: true })
  }
  throw new Failure(`The lock ${file} changes its owner all the time: another launcher seems to start at this moment.`)
}

// Only once: afterwards the lock may belong to another process.
function releaseOf(file) {
  let held = true
  return () => {
    if (held) fs.rmSync(file, { force: true })
    held = false
  }
}

function linked(from, to) {
  try {
    fs.linkSync(from, to)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function readLock(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch (error) {
    // Removed since, or not written by us: either way it has no owner.
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return null
    throw error
  }
}

// Two launchers may find the same stale lock, and one may have replaced it before the other removes it. So the lock is
// renamed first and read then: if it is not the stale one, it is put back.
function discardStale(file, stale) {
  const aside = `${file}.stale.${process.pid}`
  try {
    fs.renameSync(file, aside)
  } catch (error) {
    if (error.code === 'ENOENT') return
    throw error
  }
  const moved = readLock(aside)
  if (moved && (moved.pid !== stale?.pid || moved.identity !== stale?.identity)) linked(aside, file)
  fs.rmSync(aside, { force: true })
}
