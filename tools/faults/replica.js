import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { environments } from '../dev/environment.js'
import { readSettings } from '../dev/settings.js'
import { entryOf, nodeOptionsOf } from '../dev/topology.js'
import { EngineProcess } from '../engines/dist/engine-process.js'
import { answersAt, freePort } from '../engines/dist/ports.js'

const SHIFTED_CLOCK = fileURLToPath(new URL('./shifted-clock.js', import.meta.url))
const READY_WITHIN_MS = 60_000

/** Starts one more replica of a service, whose clock is ahead by so many milliseconds. Answers `{ process, opsPort }`. */
export async function startReplicaAhead({ product, secrets, engines }, service, aheadMs) {
  const { dataDir, ports, baseUrl } = product
  const settings = readSettings(['--no-demo'], { DATA_DIR: dataDir, PORT: new URL(baseUrl).port })
  const plan = { settings, secrets, ports, engines: engines.environment }
  const [port, opsPort] = [await freePort(), await freePort()]
  const process = new EngineProcess({
    name: service,
    file: globalThis.process.execPath,
    args: [...nodeOptionsOf(service), '--import', SHIFTED_CLOCK, entryOf(service)],
    env: { ...environments(plan)(service, { port, opsPort }), CLOCK_AHEAD_MS: String(aheadMs) },
    logFile: path.join(dataDir, 'logs', `${service}-ahead.log`),
    isReady: () => answersAt(opsPort),
    withinMs: READY_WITHIN_MS,
  })
  await process.start()
  return { process, opsPort }
}
