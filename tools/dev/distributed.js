import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { phase } from './output.js'
import { ROOT } from './settings.js'
import { runTask } from './task.js'

const BUCKET = 'holdfast'
const INSTALL = path.join(ROOT, 'tools/engines/dist/main.js')

/**
 * Starts Kafka, Redis and an S3 server for the product, each only if `env` has no address of one (KAFKA_BROKERS, REDIS_URL, STORAGE_URL).
 * Their data stay in `dataDir`. Answers `{ environment, started, stop }`: the variables with which every process finds them, the processes
 * of those that were started by their names (`kafka`, `redis`, `s3`), and what stops them.
 * @param {import('./processes.js').Processes} processes
 */
export async function startEngines(processes, dataDir, env) {
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
          const { engine, variables } = await start(folder)
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
 */
export async function startScratchEngines(processes, undo, name) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `holdfast-${name}-engines-`))
  undo.push(() => fs.rmSync(folder, { recursive: true, force: true }))
  const engines = await startEngines(processes, folder, {})
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

// The package of the engines is compiled by then. It cannot be loaded before.
const engines = file => import(`../engines/dist/${file}.js`)

/** The engines: the variable that gives the address of one, the folder of its data, and its start. */
const STARTS = [
  [
    'KAFKA_BROKERS',
    'kafka',
    async folder => {
      const engine = await (await engines('kafka')).startKafka(folder)
      return { engine, variables: { KAFKA_BROKERS: engine.broker } }
    },
  ],
  [
    'REDIS_URL',
    'redis',
    async folder => {
      const engine = await (await engines('redis')).startRedis(folder)
      return { engine, variables: { REDIS_URL: engine.url } }
    },
  ],
  [
    'STORAGE_URL',
    's3',
    async folder => {
      const { createBucket, startS3 } = await engines('s3')
      const engine = await startS3(folder)
      await createBucket(engine, BUCKET)
      const { endpoint, accessKey, secretKey, region } = engine
      const variables = {
        STORAGE_URL: `s3+${endpoint}/${BUCKET}`,
        STORAGE_ACCESS_KEY: accessKey,
        STORAGE_SECRET_KEY: secretKey,
        STORAGE_REGION: region,
      }
      return { engine, variables }
    },
  ],
]
