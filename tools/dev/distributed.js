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
 * Their data stay in `dataDir`. Adds to `undo` what stops them. Answers `{ environment, started }`: the variables with which every process
 * finds them, and the processes of those that were started by their names (`kafka`, `redis`, `s3`). `link` makes the port by which the product
 * reaches one, such as that of a proxy, from its name and its own port.
 * @param {import('./processes.js').Processes} processes
 * @param {(() => unknown)[]} undo
 * @param {string} dataDir
 * @param {Record<string, string | undefined>} env
 * @param {(name: string, port: number) => Promise<number>} link
 */
export async function startEngines(processes, undo, dataDir, env, link = async (_, port) => port) {
  const given = Object.entries(env).filter(([name]) => /^(KAFKA|REDIS|STORAGE)_/.test(name))
  /** @type {Record<string, string>} */
  const environment = { EVENTS_TRANSPORT: 'kafka', ...Object.fromEntries(given) }
  const missing = ENGINES.filter(({ variable }) => !env[variable])
  /** @type {Record<string, any>} */
  const started = {}
  undo.push(() => Promise.all(Object.values(started).map(engine => engine.stop())))
  if (missing.length > 0) {
    await phase('Preparing Kafka, Redis and S3', note => installEngines(processes, note))
    await phase('Starting Kafka, Redis and S3', async () => {
      const starts = missing.map(async ({ name, start, variables }) => {
        const folder = path.join(dataDir, name)
        fs.mkdirSync(folder, { recursive: true })
        const linkOf = port => link(name, port)
        const engine = await start(folder, linkOf).catch(asFailure)
        started[name] = engine.process
        Object.assign(environment, await variables(engine, linkOf))
      })
      // When one fails, the others may still be starting. They can be stopped only afterwards.
      for (const outcome of await Promise.allSettled(starts)) if (outcome.status === 'rejected') throw outcome.reason
    })
  }
  return { environment, started }
}

/**
 * Starts pgbouncer in front of the product's PostgreSQL, and adds to `undo` what stops it. Answers its port and how many sessions of the
 * server each role has there.
 * @param {(() => unknown)[]} undo
 * @param {{ settings, secrets, ports }} plan
 */
export async function startPooler(undo, { settings, secrets, ports }) {
  const folder = path.join(settings.dataDir, 'pgbouncer')
  fs.mkdirSync(folder, { recursive: true })
  const { POOLER_SESSIONS, startPgBouncer } = await engines('pgbouncer')
  const server = settings.databasePort ?? ports.postgres
  const pooler = await startPgBouncer(folder, settings.pooler, server, secrets.rolePasswords).catch(asFailure)
  undo.push(() => pooler.process.stop())
  return { poolerPort: pooler.port, poolerSessions: POOLER_SESSIONS }
}

/**
 * Starts all three with an empty folder of data, for a test that stops or pauses them: those that the launcher starts are out of reach.
 * Adds to `undo` what stops and removes them. Answers the folder, too.
 * @param {import('./processes.js').Processes} processes
 * @param {(() => unknown)[]} undo
 * @param {string} name names the folder
 * @param {Parameters<typeof startEngines>[4]} [link] as `startEngines` takes it
 */
export async function startScratchEngines(processes, undo, name, link) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `holdfast-${name}-engines-`))
  undo.push(() => fs.rmSync(folder, { recursive: true, force: true }))
  return { ...(await startEngines(processes, undo, folder, {}, link)), folder }
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
async function asFailure(error) {
  const { EngineDidNotStart } = await engines('engine-process')
  if (!(error instanceof EngineDidNotStart)) throw error
  const [sentence, ...log] = error.message.split('\n')
  throw new Failure(sentence, log)
}

/** A module of the engines. Their package is compiled by then. It cannot be loaded before. */
export const engines = file => import(`../engines/dist/${file}.js`)

/**
 * The engines: the variable that gives the address of one, the name of its process and of the folder of its data, its start, and the variables
 * with which the product finds it.
 */
const ENGINES = [
  {
    variable: 'KAFKA_BROKERS',
    name: 'kafka',
    start: async (folder, link) => (await engines('kafka')).startKafka(folder, link),
    variables: async ({ broker }) => ({ KAFKA_BROKERS: broker }),
  },
  {
    variable: 'REDIS_URL',
    name: 'redis',
    start: async folder => (await engines('redis')).startRedis(folder),
    variables: async ({ url }, link) => ({ REDIS_URL: await linked(url, link) }),
  },
  {
    variable: 'STORAGE_URL',
    name: 's3',
    start: async folder => (await engines('s3')).startS3(folder),
    async variables(engine, link) {
      await (await engines('s3')).createBucket(engine, BUCKET)
      return {
        STORAGE_URL: `s3+${await linked(engine.endpoint, link)}/${BUCKET}`,
        STORAGE_ACCESS_KEY: engine.accessKey,
        STORAGE_SECRET_KEY: engine.secretKey,
        STORAGE_REGION: engine.region,
      }
    },
  },
]

/** An address with the port by which the product reaches it. */
async function linked(address, link) {
  const port = Number(new URL(address).port)
  return address.replace(`:${port}`, `:${await link(port)}`)
}
