import path from 'node:path'
import { pooledUrls } from './environment.js'
import { EVERYTHING, install, isInstalled } from './install.js'
import { phase, say } from './output.js'
import { startScratchProduct } from './scratch-product.js'
import { loadSecrets } from './secrets.js'
import { ROOT } from './settings.js'
import { runTests } from './test-run.js'

const FOLDER = path.join(ROOT, 'e2e')
// A day lasts a minute and a half: short enough for a journey to wait for a deadline, long enough that none passes while
// a journey fills in a form.
const DAY_SECONDS = 90

/** Installs what only the journeys need: the driver of the browser and, on Linux x64, the browser. */
export async function installEndToEnd(processes) {
  if (isInstalled(FOLDER, EVERYTHING)) return
  await phase('Installing the browser', note => install(processes, FOLDER, EVERYTHING, note))
}

/**
 * Starts the product in a scratch folder, as `npm start` does. Adds to `undo` what frees the folder and the ports. Resolves, when it can be used,
 * to the function that runs journeys against it and the one that stops it. A run that ends early counts as one failure. Behind a pooler, a run
 * afterwards looks at what the services have done with it.
 * @param {import('./processes.js').Processes} processes
 * @param {(() => unknown)[]} undo
 * @param {{ args?: string[], replicas?: number, jaeger?: { collectorUrl: string, queryUrl: string } }} options arguments of the launcher, how many replicas of each service run,
 * and the Jaeger that takes the traces
 * @returns {Promise<{ run: (groups: string) => Promise<import('./suites.js').Outcome>, stop: () => Promise<unknown> }>} `groups` as JOURNEYS of
 * `e2e/run.js`
 */
export async function startJourneys(processes, undo, { args = [], replicas = 1, jaeger } = {}) {
  const product = await startScratchProduct(processes, undo, 'e2e', args, {
    DAY_SECONDS: String(DAY_SECONDS),
    // Services then log a line for each request; one journey follows a request through the logs.
    LOG_LEVEL: 'debug',
    REPLICAS: String(replicas),
    ...(jaeger && { OTEL_EXPORTER_OTLP_ENDPOINT: jaeger.collectorUrl }),
  })
  const { baseUrl, sandboxUrl, ports, brokers, dataDir } = product
  const env = {
    BASE_URL: baseUrl,
    SANDBOX_URL: sandboxUrl,
    DAY_SECONDS: String(DAY_SECONDS),
    LOGS_DIR: path.join(dataDir, 'logs'),
    SERVICE_PORTS: JSON.stringify(portsOfServices(ports)),
    ...(brokers && { KAFKA_BROKERS: brokers }),
    ...(jaeger && { JAEGER_URL: jaeger.queryUrl }),
  }
  const run = async groups => {
    const result = path.join(dataDir, `journeys-${groups}.json`)
    const outcome = await runTests(processes, 'The journeys', [path.join(FOLDER, 'run.js')], {
      cwd: FOLDER,
      env: { ...env, JOURNEYS: groups, E2E_RESULT: result },
      result,
    })
    return product.poolerPort ? withPooler(outcome, product) : outcome
  }
  return { run, stop: product.stop }
}

/** Adds to an outcome whether every service works behind the pooler as it must. */
async function withPooler({ passed, failures }, { dataDir, poolerPort, ports }) {
  // It needs the engines, which are compiled by now.
  const { faultsBehindPooler } = await import('./behind-pooler.js')
  const faults = await faultsBehindPooler(pooledUrls({ secrets: loadSecrets(dataDir), ports, poolerPort }))
  for (const fault of faults) say(`  ✗ ${fault}`)
  if (faults.length === 0) say('  ✓ every service runs behind pgbouncer and leaves nothing in its sessions')
  return { passed: passed + (faults.length === 0 ? 1 : 0), failures: [...failures, ...faults] }
}

/** The port of each service, which only the launcher and the other services know. */
const portsOfServices = ports =>
  Object.fromEntries(Object.entries(ports).flatMap(([name, { port }]) => (port ? [[name, port]] : [])))
