import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Failure } from './failure.js'
import { serverPid } from './postgres-pid-file.js'
import { STOPS } from './processes.js'

const START = fileURLToPath(new URL('./start.js', import.meta.url))

/**
 * Starts the product as `npm start` does, in a process of its own, for tests. Answers a handle to it:
 * `ready` resolves to `{ baseUrl, sandboxUrl, ports, brokers, poolerPort }` (`brokers` of Kafka and the port of pgbouncer, if it runs on them) or rejects with its output; `exited` resolves to
 * `{ code, output }`; `output()` is its output so far; `stop(signal)` asks it to stop and resolves as `exited`.
 * @param {import('./processes.js').Processes} processes
 * @param {{ env?: Record<string, string>, args?: string[], echo?: (text: string) => void }} options
 */
export function startProduct(processes, { env = {}, args = [], echo = () => {} } = {}) {
  const { child } = processes.spawn('product', process.execPath, [START, ...args], {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    tied: true,
    stops: STOPS.services,
  })
  let output = ''
  const collect = chunk => {
    output += chunk
    echo(String(chunk))
  }
  child.stdout?.on('data', collect)
  child.stderr?.on('data', collect)
  const exited = new Promise(resolve => {
    child.once('close', code => resolve({ code, output }))
  })
  const ready = new Promise((resolve, reject) => {
    child.on('message', (/** @type {any} */ message) => message.ready && resolve(message.ready))
    exited.then(() => reject(new Failure(`The product did not start; this is what it printed:\n${output}`)))
  })
  // A caller that only waits for `exited` leaves this rejection unhandled.
  ready.catch(() => {})
  return {
    ready,
    exited,
    output: () => output,
    /** @param {NodeJS.Signals} signal */
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return exited
    },
  }
}

/** The processes of a running product without the database's: `{ name, pid }` for each. */
export const runningProcesses = dataDir => JSON.parse(fs.readFileSync(`${dataDir}/processes.json`, 'utf8'))

/** The process of a running product with this name: `{ name, pid }`. @throws Failure when it does not run */
export function processNamed(dataDir, name) {
  const found = runningProcesses(dataDir).find(each => each.name === name)
  if (!found) throw new Failure(`${name} does not run`)
  return found
}

/** The pid of a product's PostgreSQL; null when it does not run. */
export const postgresPid = dataDir => serverPid(path.join(dataDir, 'postgres'))

/** The pids of every process of a running product, the database's included. */
export const pidsOf = dataDir => [...runningProcesses(dataDir).map(({ pid }) => pid), postgresPid(dataDir)]
