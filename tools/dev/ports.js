import net from 'node:net'
import { Failure } from './failure.js'
import { listenError } from './preflight.js'
import { MAX_REPLICAS } from './settings.js'
import { TOPOLOGY } from './topology.js'

// Below the range from which operating systems hand out ports for outgoing connections. So none of ours can be taken that
// way between the choice and the moment its process listens.
const FIRST_PORT = 20_000
const LAST_PORT = 32_000
/** Besides the processes' own: the port that is held open, PostgreSQL's, and the one at which the sandbox takes mails. */
const OTHER_PORTS = 3
const PORTS_PER_PROCESS = 2

/**
 * Finds ports for everything but the public address: a block of consecutive ones, as long as the topology needs. This
 * process holds the first port of the block open for as long as it lives. Another launcher cannot open that port and
 * leaves the block alone, so two that start at the same moment never choose the same ports. However this process ends,
 * the block is free again.
 * Answers `{ block, ports, release }`, `ports` being `{ postgres, smtp, '<process>': { port, opsPort } }`. Of a service with
 * several replicas, `port` is where the others reach it, and `replicas` has a `{ port, opsPort }` for each.
 * @param {number} preferred the block to try first, so that a data folder keeps its ports where it can
 * @param {number} [publicPort] a port outside the block: the one the product itself will be reached at
 */
export async function reservePorts(preferred, publicPort = 0, { processes, services } = TOPOLOGY, replicas = 1) {
  // The same for every number of replicas: blocks of different lengths would overlap.
  const size = OTHER_PORTS + PORTS_PER_PROCESS * (processes.size + MAX_REPLICAS * services.length)
  const blocks = Math.floor((LAST_PORT - FIRST_PORT) / size)
  for (let tried = 0; tried < blocks; tried++) {
    const block = (preferred + tried) % blocks
    const first = FIRST_PORT + block * size
    if (publicPort >= first && publicPort < first + size) continue
    const guard = await hold(first)
    if (guard === null) continue
    if (await allFree(first + 1, size - 1)) {
      return { block, ports: assign(first + 1, processes, services, replicas), release: () => guard.close() }
    }
    guard.close()
  }
  throw new Failure(`No ${size} free ports in a row between ${FIRST_PORT} and ${LAST_PORT}: stop something.`)
}

function assign(first, processes, services, replicas) {
  let next = first
  const pair = () => ({ port: next++, opsPort: next++ })
  const ports = { postgres: next++, smtp: next++ }
  for (const name of processes.keys()) ports[name] = pair()
  if (replicas > 1) for (const name of services) ports[name].replicas = Array.from({ length: replicas }, pair)
  return ports
}

async function allFree(first, count) {
  for (let port = first; port < first + count; port++) {
    if ((await listenError('127.0.0.1', port)) !== null) return false
  }
  return true
}

function hold(port) {
  return new Promise(resolve => {
    const server = net.createServer(socket => socket.destroy())
    server.once('error', () => resolve(null))
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      server.unref()
      resolve(server)
    })
  })
}
