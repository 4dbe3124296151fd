import net from 'node:net'
import { Failure } from './failure.js'
import { listenError } from './preflight.js'
import { PROCESSES } from './topology.js'

// Below the range from which operating systems hand out ports for outgoing connections, so that none of ours can be
// taken that way between the choice and the moment its process listens.
const FIRST_PORT = 20_000
const LAST_PORT = 32_000
const BLOCK_SIZE = 16
const BLOCKS = Math.floor((LAST_PORT - FIRST_PORT) / BLOCK_SIZE)

/**
 * Finds ports for everything behind the door: a block of consecutive ones of which the first is held open by this
 * process for as long as it lives. Another launcher cannot open that one and leaves the block alone, so two that
 * start at the same moment never collide; and however this process ends, the block is free again.
 * Answers `{ ports, release }`, `ports` being `{ postgres, '<process>': { port, opsPort } }`.
 * @param {number} preferred the block to try first, so that a data folder keeps its ports where it can
 * @param {number} [door] a port that must stay free for somebody else
 */
export async function reservePorts(preferred, door = 0) {
  for (let tried = 0; tried < BLOCKS; tried++) {
    const block = (preferred + tried) % BLOCKS
    const first = FIRST_PORT + block * BLOCK_SIZE
    if (door >= first && door < first + BLOCK_SIZE) continue
    const guard = await hold(first)
    if (guard === null) continue
    if (await allFree(first + 1)) return { block, ports: assign(first + 1), release: () => guard.close() }
    guard.close()
  }
  throw new Failure(`No ${BLOCK_SIZE} free ports in a row between ${FIRST_PORT} and ${LAST_PORT}: stop something.`)
}

function assign(first) {
  let next = first
  const ports = { postgres: next++ }
  for (const name of PROCESSES) ports[name] = { port: next++, opsPort: next++ }
  return ports
}

async function allFree(first) {
  for (let port = first; port < first + BLOCK_SIZE - 1; port++) {
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
