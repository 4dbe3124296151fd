import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendSignal } from '../dev/processes.js'
import { postgresPid, processNamed, runningProcesses } from '../dev/product.js'
import { fillDisk } from './full-disk.js'
import { disturbWebhooks, endProviderFaults, failProvider } from './provider.js'
import { redeliver } from './redelivery.js'
import { flushRedis } from './redis.js'

/** How many milliseconds are between two faults, and how often a kill is drawn, in relation to `OFTEN`. */
const MIXED = { betweenMs: [1_000, 4_000], kills: 8, killedAfterMs: 0 }
/**
 * The same for a run that goes on until a number of processes was killed. It kills what has run for more than half a minute: the launcher
 * starts that again at once, and a process that died earlier after longer and longer pauses.
 */
const MOSTLY_KILLS = { betweenMs: [700, 2_500], kills: 40, killedAfterMs: 31_000 }
/** How long a fault lasts that ends by itself. */
const LASTS_MS = [500, 6_000]
/** By how many milliseconds a clock is wrong: less than makes a process say that it is not ready. */
const CLOCK_OFF_MS = [-4_000, 4_000]

/** @typedef {{ query: (text: string, values?: unknown[]) => Promise<{ rowCount: number | null, rows: any[] }> }} Database */

/**
 * Injects faults into a running product until `signal` aborts, or until there were `kills` kills, chosen by `random`: first each kind that is
 * possible here once, in any order, so that also a short run has all of them. `note` gets a line for each. Resolves, when everything that was
 * killed, paused, cut or filled works again, to how many of each of these kinds there were. Rejects with the first error of a fault that could
 * not be healed, after the others have ended.
 * @param {{ dataDir: string, database: Database, sandboxUrl: string, engines: Record<string, object>, redisUrl?: string,
 *   brokers?: string[], links: Record<string, object>, clocks: string, disk: string | null }} product
 *   `engines` are processes of tools/engines by their names, `links` the networks to PostgreSQL and to them (`network-link.js`), `clocks`
 *   is the folder of `shifted-clock.js`, and `disk` a folder with a small disk of its own
 */
export async function injectFaults(product, random, { signal, kills = Number.POSITIVE_INFINITY }, note) {
  const pace = Number.isFinite(kills) ? MOSTLY_KILLS : MIXED
  const faults = new Faults(product, random, pace)
  const possible = KINDS.filter(kind => faults.canDo(kind))
  const counts = Object.fromEntries(possible.map(kind => [kind, 0]))
  const drawn = possible.flatMap(kind => Array(OFTEN[kind] ?? pace.kills).fill(kind))
  const due = random.shuffled(possible)
  while (!signal.aborted && (due.length > 0 || counts['kill -9'] < kills)) {
    const kind = due.shift() ?? random.oneOf(drawn)
    try {
      const what = await faults.do(kind)
      if (what !== false) {
        counts[kind]++
        note(`${progress(counts['kill -9'], kills)}${kind}: ${what}`)
      }
    } catch (error) {
      // What this fault needs is often away because of another one.
      note(`${kind}: not done, ${error.message}`)
    }
    // It is tried again after the others.
    if (counts[kind] === 0) due.push(kind)
    await sleep(random.between(...pace.betweenMs), undefined, { signal }).catch(() => {})
  }
  await faults.over()
  return counts
}

const progress = (killed, kills) => (Number.isFinite(kills) ? `${killed} of ${kills} kills; ` : '')

/** The kinds of faults besides a kill, and how often each is drawn. */
const OFTEN = {
  pause: 4,
  'wrong clock': 1,
  'kill PostgreSQL': 1,
  'pause PostgreSQL': 1,
  'end the connections': 1,
  'cut a network': 2,
  'redeliver a topic': 1,
  'fail at the provider': 2,
  'disturb webhooks': 1,
  'hang the provider': 1,
  'fill the disk': 1,
  'kill an engine': 3,
  'pause an engine': 2,
  'flush Redis': 1,
}
const KINDS = ['kill -9', ...Object.keys(OFTEN)]

/** The kinds that were possible in a run and did not happen. @param {Record<string, number>} counts as `injectFaults` answers */
export const absentKinds = counts => KINDS.filter(kind => counts[kind] === 0)

/** The kinds that were not possible in a run: without root no disk is filled, and without Kafka, Redis and S3 none of them is killed. */
export const impossibleKinds = counts => KINDS.filter(kind => !(kind in counts))

/** Each kind of fault answers what it did as text, and false when it could not. */
class Faults {
  #product
  #random
  /** The faults that have not ended, by name, each with a promise that resolves when it has. */
  #active = new Map()
  /** The first error of a fault that could not be healed. */
  #failure = null

  /** When each process was first seen, by its pid. */
  #seenAt = new Map()
  #killedAfterMs

  constructor(product, random, { killedAfterMs }) {
    this.#product = product
    this.#random = random
    this.#killedAfterMs = killedAfterMs
  }

  canDo(kind) {
    if (kind === 'fill the disk') return this.#product.disk !== null
    if (kind === 'pause PostgreSQL') return process.platform === 'linux'
    return Object.keys(this.#product.engines).length > 0 || !/engine|Redis/.test(kind)
  }

  async do(kind) {
    return this.#kinds[kind]()
  }

  /** Waits until every fault has ended. @throws the first error of one that could not be healed */
  async over() {
    await Promise.all(this.#active.values())
    await endProviderFaults(this.#product.sandboxUrl).catch(this.#keepFailure)
    if (this.#failure !== null) throw this.#failure
  }

  #keepFailure = error => {
    this.#failure ??= error
  }

  #kinds = {
    'kill -9': () => {
      const known = this.#processes().filter(
        ({ pid }) => performance.now() - this.#seenAt.get(pid) >= this.#killedAfterMs,
      )
      if (known.length === 0) return false
      const { name, pid } = this.#random.oneOf(known)
      return sendSignal(pid, 'SIGKILL') && name
    },
    pause: () => {
      const { name, pid } = this.#anyProcess()
      return this.#pause(name, pid)
    },
    'wrong clock': () => {
      const { name, pid } = this.#anyProcess()
      const ms = Math.round(this.#random.between(...CLOCK_OFF_MS))
      const set = off => {
        fs.writeFileSync(`${this.#product.clocks}/${pid}`, String(off))
        return sendSignal(pid, 'SIGUSR2')
      }
      const done = this.#forAWhile(
        `the clock of ${name}`,
        () => set(ms),
        () => set(0),
      )
      return done && `${done}, ${ms} ms off`
    },
    'kill PostgreSQL': () => {
      const pid = postgresPid(this.#product.dataDir)
      return pid !== null && sendSignal(pid, 'SIGKILL') && 'its server'
    },
    'pause PostgreSQL': () => {
      const server = postgresPid(this.#product.dataDir)
      if (server === null) return false
      let paused = []
      return this.#forAWhile(
        'PostgreSQL',
        () => {
          if (!sendSignal(server, 'SIGSTOP')) return false
          paused = [server, ...childrenOf(server)]
          for (const pid of paused) sendSignal(pid, 'SIGSTOP')
        },
        () => {
          for (const pid of paused) sendSignal(pid, 'SIGCONT')
        },
      )
    },
    'end the connections': () => endConnections(this.#product.database),
    'cut a network': () => {
      const name = this.#random.oneOf(Object.keys(this.#product.links))
      const how = this.#random.oneOf(['reset', 'silent'])
      const link = this.#product.links[name]
      const done = this.#forAWhile(
        `the network to ${name}`,
        () => link.cut(how),
        () => link.mend(),
      )
      return done && `${done}, ${how}`
    },
    'redeliver a topic': () => redeliver(this.#product, this.#random),
    'fail at the provider': () => failProvider(this.#product.sandboxUrl, this.#random),
    'disturb webhooks': () => disturbWebhooks(this.#product.sandboxUrl, this.#random),
    'hang the provider': () => this.#pause('the provider', processNamed(this.#product.dataDir, 'sandbox').pid),
    'fill the disk': () => {
      let free
      return this.#forAWhile(
        'the disk of the logs',
        () => {
          free = fillDisk(this.#product.disk)
        },
        () => free(),
      )
    },
    'kill an engine': () => {
      const [name, engine] = this.#anyEngine()
      return this.#forAWhile(
        name,
        () => engine.kill(),
        () => engine.start(),
      )
    },
    'pause an engine': () => {
      const [name, engine] = this.#anyEngine()
      return this.#forAWhile(
        name,
        () => engine.pause(),
        () => engine.resume(),
      )
    },
    'flush Redis': async () => {
      await flushRedis(this.#product.redisUrl)
      return 'all keys'
    },
  }

  /** The product's own processes, without the provider's stand-in. */
  #processes() {
    const running = runningProcesses(this.#product.dataDir).filter(({ name }) => name !== 'sandbox')
    for (const { pid } of running) if (!this.#seenAt.has(pid)) this.#seenAt.set(pid, performance.now())
    return running
  }

  #anyProcess() {
    return this.#random.oneOf(this.#processes())
  }

  #anyEngine() {
    return this.#random.oneOf(Object.entries(this.#product.engines))
  }

  #pause(name, pid) {
    return this.#forAWhile(
      name,
      () => sendSignal(pid, 'SIGSTOP'),
      () => sendSignal(pid, 'SIGCONT'),
    )
  }

  /** Injects a fault and heals it after a while, unless one of this name has not ended. Answers its name and for how long. */
  #forAWhile(name, inject, heal) {
    const ms = Math.round(this.#random.between(...LASTS_MS))
    if (this.#active.has(name)) return false
    const injecting = inject()
    if (injecting === false) return false
    const untilHealed = async () => {
      await injecting
      await sleep(ms)
      await heal()
    }
    const ended = untilHealed()
      .catch(this.#keepFailure)
      .finally(() => this.#active.delete(name))
    this.#active.set(name, ended)
    return `${name} for ${ms} ms`
  }
}

/** The processes that a process has started and that still run. */
function childrenOf(pid) {
  return fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

async function endConnections(database) {
  const { rowCount } = await database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'holdfast' AND pid <> pg_backend_pid()`,
  )
  return `${rowCount} of them`
}
