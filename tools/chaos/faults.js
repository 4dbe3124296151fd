import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendSignal } from '../dev/processes.js'
import { postgresPid, runningProcesses } from '../dev/product.js'

/** What is between two faults, in milliseconds, and for how long a process is paused. */
const PAUSE_MS = [1_000, 4_000]
const STOPPED_MS = [500, 6_000]
const FLUSH_WITHIN_MS = 1_000

/**
 * Injects faults into a running product until `signal` aborts, chosen by `random`. `note` gets a line for each. Resolves, when everything
 * that was killed or paused runs again, to how many of each kind there were.
 * @param {{ dataDir: string, database: import('pg').Pool, engines: Record<string, object>, redisUrl?: string }} product `engines` are
 * processes of tools/engines by their names
 */
export async function injectFaults(product, random, signal, note) {
  const { dataDir, engines } = product
  const counts = {}
  /** What is killed or paused now, with the promise that it runs again. */
  const hurt = new Map()
  const until = (name, again) => {
    hurt.set(
      name,
      again.finally(() => hurt.delete(name)),
    )
    return name
  }
  const kinds = {
    'kill -9': () => {
      const { name, pid } = random.oneOf(processesOf(dataDir))
      return sendSignal(pid, 'SIGKILL') && name
    },
    pause: () => {
      const { name, pid } = random.oneOf(processesOf(dataDir))
      const ms = Math.round(random.between(...STOPPED_MS))
      if (!sendSignal(pid, 'SIGSTOP')) return false
      until(
        name,
        sleep(ms).then(() => sendSignal(pid, 'SIGCONT')),
      )
      return `${name} for ${ms} ms`
    },
    'kill PostgreSQL': () => {
      const pid = postgresPid(dataDir)
      return pid !== null && sendSignal(pid, 'SIGKILL') && 'its server'
    },
    'end the connections': () => endConnections(product.database),
    'kill an engine': () => {
      const name = random.oneOf(Object.keys(engines))
      const ms = random.between(...STOPPED_MS)
      if (hurt.has(name)) return false
      return until(
        name,
        (async () => {
          await engines[name].kill()
          await sleep(ms)
          await engines[name].start()
        })(),
      )
    },
    'pause an engine': () => {
      const name = random.oneOf(Object.keys(engines))
      const ms = Math.round(random.between(...STOPPED_MS))
      if (hurt.has(name)) return false
      engines[name].pause()
      until(
        name,
        sleep(ms).then(() => engines[name].resume()),
      )
      return `${name} for ${ms} ms`
    },
    'flush Redis': () => flush(product.redisUrl),
  }
  while (!signal.aborted) {
    const kind = random.oneOf(Object.keys(engines).length > 0 ? [...EMBEDDED, ...DISTRIBUTED] : EMBEDDED)
    const what = await kinds[kind]()
    if (what !== false) {
      counts[kind] = (counts[kind] ?? 0) + 1
      note(`${kind}: ${what}`)
    }
    await sleep(random.between(...PAUSE_MS), undefined, { signal }).catch(() => {})
  }
  await Promise.all(hurt.values())
  return counts
}

/** The kinds of faults, as often as they are drawn. */
const EMBEDDED = [...Array(6).fill('kill -9'), ...Array(3).fill('pause'), 'kill PostgreSQL', 'end the connections']
const DISTRIBUTED = [...Array(3).fill('kill an engine'), ...Array(2).fill('pause an engine'), 'flush Redis']

/** Answers false while PostgreSQL is away. */
async function endConnections(database) {
  try {
    const { rowCount } = await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'holdfast' AND pid <> pg_backend_pid()`,
    )
    return `${rowCount} of them`
  } catch {
    return false
  }
}

/** Empties a Redis. Answers false while it is away. */
export function flush(url) {
  const { hostname: host, port } = new URL(url)
  return new Promise(resolve => {
    const socket = net.connect({ host, port: Number(port), timeout: FLUSH_WITHIN_MS }, () =>
      socket.write('FLUSHALL\r\n'),
    )
    const end = done => {
      socket.destroy()
      resolve(done)
    }
    socket.once('data', () => end('all keys'))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
}

/** The product's own processes, without the provider's stand-in. */
const processesOf = dataDir => runningProcesses(dataDir).filter(({ name }) => name !== 'sandbox')
