import path from 'node:path'
import { EngineProcess } from '@holdfast/engines/engine-process'
import { answersAt, freePort } from '@holdfast/engines/ports'
import { environments } from '../dev/environment.js'
import { readSettings } from '../dev/settings.js'
import { entryOf, nodeOptionsOf } from '../dev/topology.js'

const READY_WITHIN_MS = 60_000

/**
 * Starts one more replica of a service that differs from the others, and lets Prometheus find it. Answers what ends it. Requests do not reach
 * it, and it takes part in everything else.
 * @param {any} world of `startWorld`
 * @param {string} service
 * @param {{ env?: Record<string, string>, nodeOptions?: readonly string[] }} different
 */
export async function startReplica(world, service, { env, nodeOptions = [] }) {
  const { product, secrets, engines, prometheus, replicas } = world
  const settings = readSettings(['--no-demo'], { DATA_DIR: product.dataDir, PORT: new URL(product.baseUrl).port })
  const environmentOf = environments({ settings, secrets, ports: product.ports, engines: engines.environment })
  const [port, opsPort] = [await freePort(), await freePort()]
  const replica = new EngineProcess({
    name: service,
    file: process.execPath,
    args: [...nodeOptionsOf(service), ...nodeOptions, entryOf(service)],
    env: { ...environmentOf(service, { port, opsPort }), ...env },
    logFile: path.join(product.dataDir, 'logs', `${service}-2.log`),
    isReady: () => answersAt(opsPort),
    withinMs: READY_WITHIN_MS,
  })
  await replica.start()
  prometheus.scrape([...replicas, { service, pod: `${service}-2`, opsPort }])
  return async () => {
    prometheus.scrape(replicas)
    await replica.stop()
  }
}
