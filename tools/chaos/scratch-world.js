import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { startScratchEngines } from '../dev/distributed.js'
import { readPidFile } from '../dev/postgres-pid-file.js'
import { startScratchProduct } from '../dev/scratch-product.js'
import { mountSmallDisk } from './full-disk.js'
import { startLink } from './network-link.js'

const SHIFTED_CLOCK = new URL('./shifted-clock.js', import.meta.url)

/**
 * Starts the product, and engines with `distributed`, so that all of it can fail: it reaches PostgreSQL and the engines over links that
 * can be cut, its clocks can be set wrongly, and its logs have a small disk of their own where this process may mount one. The engines
 * are started here and not by the launcher, so that they can be killed and started again.
 *
 * Answers what `startScratchProduct` does, and what `injectFaults` needs besides: `{ engines, links, brokers, redisUrl, clocks, disk }`.
 * @param {import('../dev/processes.js').Processes} processes
 * @param {(() => void)[]} undo
 */
export async function startScratchWorld(processes, undo, { replicas, distributed }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-chaos-world-'))
  undo.push(() => fs.rmSync(folder, { recursive: true, force: true }))
  const links = {}
  const link = async (name, target) => {
    links[name] = await startLink(target)
    undo.push(links[name].close)
    return links[name].port
  }
  const engines = distributed
    ? await startScratchEngines(processes, undo, 'chaos', (name, port) => link(name, () => port))
    : { environment: /** @type {Record<string, string>} */ ({}), started: {} }
  const clocks = path.join(folder, 'clocks')
  fs.mkdirSync(clocks)
  /** @type {string | null} */
  let disk = null
  const environment = async dataDir => {
    const logs = path.join(dataDir, 'logs')
    const unmount = await mountSmallDisk(logs)
    if (unmount) {
      undo.push(unmount)
      disk = logs
    }
    return {
      ...engines.environment,
      REPLICAS: String(replicas),
      // What a pooler does while PostgreSQL is away was not tried.
      PGBOUNCER: '',
      CHAOS_DATABASE_PORT: String(
        await link('postgres', () => readPidFile(path.join(dataDir, 'postgres'))?.port ?? null),
      ),
      CHAOS_PRELOAD: `${SHIFTED_CLOCK.href}?folder=${encodeURIComponent(pathToFileURL(clocks).href)}`,
    }
  }
  const args = distributed ? ['--no-demo', '--distributed'] : ['--no-demo']
  const product = await startScratchProduct(processes, undo, 'chaos', args, environment)
  const { KAFKA_BROKERS, REDIS_URL } = engines.environment
  return {
    ...product,
    engines: engines.started,
    links,
    clocks,
    disk,
    redisUrl: REDIS_URL,
    brokers: KAFKA_BROKERS?.split(','),
  }
}
