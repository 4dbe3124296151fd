import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Failure } from './failure.js'
import { phase } from './output.js'
import { ROOT } from './settings.js'
import { runTask } from './task.js'

const BUCKET = 'holdfast'
const INSTALL = path.join(ROOT, 'tools/engines/dist/main.js')

/**
 * Starts Kafka, Redis and an S3 server for the product, each only if `env` has no address of one (KAFKA_BROKERS, REDIS_URL, STORAGE_URL).
 * Their data stay in `dataDir`. Answers `{ environment, started, stop }`: the variables with which every process finds them, the processes
 * of those that were started by their names (`kafka`, `redis`, `s3`), and what stops them. `link` makes the port by which the product reaches
 * one, such as that of a proxy, from its name and its own port.
 * @param {import('./processes.js').Processes} processes
 */
export async function startEngines(processes, dataDir, env, link = async (_, port) => port) {
  const given = Object.entries(env).filter(([name]) => /^(KAFKA|REDIS|STORAGE)_/.test(name))
  const environment = { EVENTS_TRANSPORT: 'kafka', ...Object.fromEntries(given) }
  const missing = STARTS.filter(([variable]) => !env[variable])
  const started = {}
  if (missing.length > 0) {
    await phase('Preparing Kafka, Redis and S3', note => installEngines(processes, note))
    await phase('Starting Kafka, Redis and S3', () =>
      Promise.all(
        missing.map(async ([, name, start]) => {
          const folder = path.join(dataDir, name)
          fs.mkdirSync(folder, { recursive: true })
          const { engine, variables } = await start(folder, port => link(name, port)).catch(asFailure)
          started[name] = engine.process
          Object.assign(environment, variables)
        }),
      ),
    )
  }
  return { environment, started, stop: () => Promise.all(Object.values(started).map(engine => engine.stop())) }
}

/**
 * Starts all three with an empty folder of data, for a test that stops or pauses them: those that the launcher starts are out of reach.
 * Adds to `undo` what stops and removes them.
 * @param {string} name names the folder
 * @param {Parameters<typeof startEngines>[3]} link as `startEngines` takes it
 */
export async function startScratchEngines(processes, undo, name, link) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `holdfast-${name}-engines-`))
  undo.push(() => fs.rmSync(folder, { recursive: true, force: true }))
  const engines = await startEngines(processes, folder, {}, link)
  undo.push(engines.stop)
  return engines
}

/** Installs what the engines need. @throws Failure that names what this machine lacks */
export function installEngines(processes, note) {
  return runTask(processes, 'engines', process.execPath, [INSTALL], {
    cwd: ROOT,
    env: process.env,
    failure: 'An engine is missing (tools/engines/README.md):',
    onLine: note,
  })
}

/** An engine that does not start is a matter of this machine: its own log, which the message ends with, says why. */
function asFailure({ message }) {
  const [sentence, ...log] = message.split('\n')
  throw new Failure(sentence, log)
}

/** A module of the engines. Their package is compiled by then. It cannot be loaded before. */
export const engines = file => import(`../engines/dist/${file}.js`)

/** The engines: the variable that gives the address of one, the folder of its data, and its start. */
const STARTS = [
  [
    'KAFKA_BROKERS',
    'kafka',
    async (folder, link) => {
      const engine = await (await engines('kafka')).startKafka(folder, link)
      return { engine, variables: { KAFKA_BROKERS: engine.broker } }
    },
  ],
  [
    'REDIS_URL',
    'redis',
    async (folder, link) => {
      const engine = await (await engines('redis')).startRedis(folder)
      return { engine, variables: { REDIS_URL: await linked(engine.url, link) } }
    },
  ],
  [
    'STORAGE_URL',
    's3',
    async (folder, link) => {
      const { createBucket, startS3 } = await engines('s3')
      const engine = await startS3(folder)
      await createBucket(engine, BUCKET)
      const { endpoint, accessKey, secretKey, region } = engine
      const variables = {
        STORAGE_URL: `s3+${await linked(endpoint, link)}/${BUCKET}`,
        STORAGE_ACCESS_KEY: accessKey,
        STORAGE_SECRET_KEY: secretKey,
        STORAGE_REGION: region,
      }
      return { engine, variables }
    },
  ],
]

/** An address with the port by which the product reaches it. */
async function linked(address, link) {
  const port = Number(new URL(address).port)
  return address.replace(`:${port}`, `:${await link(port)}`)
}
