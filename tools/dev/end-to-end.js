import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Failure, Interrupted } from './failure.js'
import { EVERYTHING, install, isInstalled } from './install.js'
import { phase } from './output.js'
import { reservePorts } from './ports.js'
import { startProduct } from './product.js'
import { ROOT } from './settings.js'

const FOLDER = path.join(ROOT, 'e2e')
// A day lasts a minute and a half: short enough for a journey to wait for a deadline, long enough that none passes while
// a journey fills in a form.
const DAY_SECONDS = 90
const DEADLINE_MS = 15 * 60_000

/** Installs what only the journeys need: the driver of the browser and, for machines without one, the browser. */
export async function installEndToEnd(processes) {
  if (isInstalled(FOLDER, EVERYTHING)) return
  await phase('Installing the browser', note => install(processes, FOLDER, EVERYTHING, note))
}

/**
 * Starts the product in a scratch folder, as `npm start` does, and runs the journeys against it. A run that ends early counts as one
 * failure.
 * @param {{ args?: string[], replicas?: number, journeys?: 'api', jaeger?: object }} options arguments of the launcher, how many replicas
 * of each service run, which journeys (all of them when left out), and the Jaeger that takes the traces
 * @returns {Promise<import('./suites.js').Outcome>}
 */
export async function runJourneys(processes, { args = [], replicas = 1, journeys, jaeger } = {}) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-e2e-'))
  const result = path.join(home, 'result.json')
  const dataDir = path.join(home, 'data')
  const { ports, release } = await reservePorts(1)
  const product = startProduct(processes, {
    env: {
      DATA_DIR: dataDir,
      PORT: String(ports.gateway.port),
      DAY_SECONDS: String(DAY_SECONDS),
      // Services then log a line for each request; one journey follows a request through the logs.
      LOG_LEVEL: 'debug',
      REPLICAS: String(replicas),
      ...(jaeger && { OTEL_EXPORTER_OTLP_ENDPOINT: jaeger.collectorUrl }),
    },
    args,
    echo: text => process.stdout.write(text),
  })
  try {
    const { baseUrl, sandboxUrl, ports: listening, brokers } = await product.ready
    const env = {
      BASE_URL: baseUrl,
      SANDBOX_URL: sandboxUrl,
      DAY_SECONDS: String(DAY_SECONDS),
      LOGS_DIR: path.join(dataDir, 'logs'),
      SERVICE_PORTS: JSON.stringify(portsOfServices(listening)),
      E2E_RESULT: result,
      ...(brokers ? { KAFKA_BROKERS: brokers } : {}),
      ...(journeys ? { JOURNEYS: journeys } : {}),
      ...(jaeger && { JAEGER_URL: jaeger.queryUrl }),
    }
    const { exited, pid } = processes.spawn('e2e', process.execPath, [path.join(FOLDER, 'run.js')], {
      cwd: FOLDER,
      env: { ...process.env, ...env },
      output: process.stderr.fd,
    })
    const timer = setTimeout(() => process.kill(pid, 'SIGKILL'), DEADLINE_MS)
    const { code } = await exited
    clearTimeout(timer)
    if (processes.closing) throw new Interrupted()
    return readResult(result, code)
  } finally {
    await product.stop()
    release()
    fs.rmSync(home, { recursive: true, force: true })
  }
}

/** The port of each service, which only the launcher and the other services know. */
const portsOfServices = ports =>
  Object.fromEntries(Object.entries(ports).flatMap(([name, { port }]) => (port ? [[name, port]] : [])))

function readResult(file, code) {
  if (!fs.existsSync(file)) throw new Failure(`The journeys ended early (exit code ${code}) and wrote no result.`)
  const outcome = JSON.parse(fs.readFileSync(file, 'utf8'))
  if (outcome.failures.length === 0 && code !== 0) outcome.failures.push(`The journeys ended with exit code ${code}`)
  return outcome
}
