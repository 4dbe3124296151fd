import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** What is between two faults, in milliseconds, and for how long a process is paused. */
const PAUSE_MS = [1_000, 4_000]
const STOPPED_MS = [500, 6_000]

/**
 * Injects faults into a running product until `signal` aborts, chosen by `random`. `note` gets a line for each. Answers how many of each
 * kind there were.
 * @param {{ dataDir: string, database: import('pg').Pool }} product
 */
export async function injectFaults({ dataDir, database }, random, signal, note) {
  const counts = {}
  const stopped = new Set()
  const kinds = {
    'kill -9': () => {
      const { name, pid } = random.oneOf(processesOf(dataDir))
      if (send(pid, 'SIGKILL')) return name
    },
    pause: () => {
      const { name, pid } = random.oneOf(processesOf(dataDir))
      const ms = Math.round(random.between(...STOPPED_MS))
      if (!send(pid, 'SIGSTOP')) return
      stopped.add(pid)
      setTimeout(() => {
        stopped.delete(pid)
        send(pid, 'SIGCONT')
      }, ms)
      return `${name} for ${ms} ms`
    },
    'kill PostgreSQL': () => {
      const pid = postmasterOf(dataDir)
      if (pid !== null && send(pid, 'SIGKILL')) return 'its server'
    },
    'end the connections': async () => {
      const { rowCount } = await database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'holdfast' AND pid <> pg_backend_pid()`,
      )
      return `${rowCount} of them`
    },
  }
  // Killing a process is the most frequent fault.
  const draw = [...Array(6).fill('kill -9'), ...Array(3).fill('pause'), 'kill PostgreSQL', 'end the connections']
  while (!signal.aborted) {
    const kind = random.oneOf(draw)
    // While PostgreSQL recovers, its connections cannot be ended.
    const what = await Promise.resolve(kinds[kind]()).catch(() => undefined)
    if (what !== undefined) {
      counts[kind] = (counts[kind] ?? 0) + 1
      note(`${kind}: ${what}`)
    }
    await sleep(random.between(...PAUSE_MS), undefined, { signal }).catch(() => {})
  }
  for (const pid of stopped) send(pid, 'SIGCONT')
  return counts
}

/** The product's own processes, without the provider's stand-in. */
const processesOf = dataDir =>
  JSON.parse(fs.readFileSync(`${dataDir}/processes.json`, 'utf8')).filter(({ name }) => name !== 'sandbox')

function postmasterOf(dataDir) {
  const file = `${dataDir}/postgres/postmaster.pid`
  return fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8').split('\n')[0]) : null
}

function send(pid, name) {
  try {
    process.kill(pid, name)
    return true
  } catch (error) {
    if (error.code === 'ESRCH') return false
    throw error
  }
}
