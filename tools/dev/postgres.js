import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { Failure } from './failure.js'
import { inherited } from './inherited.js'
import { lastLines } from './logs.js'
import { ownFile, ownFolder, unprivilegedAccount } from './postgres-account.js'
import { findPostgres } from './postgres-binaries.js'
import { commandOf, identityOf } from './process-identity.js'
import { STOPS } from './processes.js'
import { runTask } from './task.js'
import { until } from './wait.js'

const READY_WITHIN_MS = 60_000
const READY_STEP_MS = 25
const ORPHAN_WITHIN_MS = 30_000
// The line of postmaster.pid on which the server writes how far it is, counted from 0; pg_ctl reads the same one.
const PID_LINE = 0
const STATUS_LINE = 7

// A household's server: little memory, a few dozen connections, and every promise about committed data kept.
const SERVER_SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '64MB',
  max_wal_size: '512MB',
  io_method: 'sync',
  jit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  fsync: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

/**
 * A real PostgreSQL in a folder: made when there is none, freed from an orphaned server of a killed launcher, started
 * and waited for. Answers its entry in `processes`.
 * @param {{ folder: string, port: number, password: string, settings?: Record<string, string> }} database
 */
export async function startPostgres(processes, logs, { folder, port, password, settings = {} }) {
  const programs = findPostgres()
  const account = unprivilegedAccount(programs.postgres)
  await stopOrphan(folder)
  if (!fs.existsSync(path.join(folder, 'PG_VERSION')))
    await createCluster(processes, programs, account, folder, password)
  ownFolder(folder, account)

  const flags = Object.entries({ ...SERVER_SETTINGS, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const [command, ...args] = [
    ...account.prefix,
    ...dieWithParent(),
    programs.postgres,
    '-D',
    folder,
    '-p',
    String(port),
    ...flags,
  ]
  const log = logs.open('postgres')
  const entry = processes.spawn('postgres', command, args, {
    env: inherited(),
    ids: account.ids,
    output: log.descriptor,
    stops: STOPS.data,
    // A fast shutdown: running statements are cancelled, what is committed is written down.
    stopSignal: 'SIGINT',
  })
  fs.closeSync(log.descriptor)
  const ready = await until(() => entry.ended || isReady(folder, entry.pid), {
    withinMs: READY_WITHIN_MS,
    everyMs: READY_STEP_MS,
  })
  if (!ready || entry.ended) {
    throw new Failure(`PostgreSQL did not start; the last lines of ${log.file}:`, lastLines(log))
  }
  return entry
}

/**
 * Stops the server a killed launcher left behind on `folder`, after making sure that the process its pid file names
 * is that server and not a stranger who was given the same number.
 */
export async function stopOrphan(folder) {
  const pid = Number(pidFileLine(folder, PID_LINE))
  // A dead server's pid file is PostgreSQL's own business: with it, it finds out whether anything still uses the files.
  if (identityOf(pid) === null) return
  const command = commandOf(pid)
  if (!command?.includes('postgres') || !command.includes(folder)) {
    fs.rmSync(path.join(folder, 'postmaster.pid'))
    return
  }
  process.kill(pid, 'SIGINT')
  if (await until(() => identityOf(pid) === null, { withinMs: ORPHAN_WITHIN_MS, everyMs: READY_STEP_MS })) return
  throw new Failure(
    `A PostgreSQL that still runs on ${folder} (process ${pid}) does not stop: end it, and start again.`,
  )
}

// Made beside its place and renamed when whole, so that a start that was cut short leaves no half of a database.
async function createCluster(processes, { initdb }, account, folder, password) {
  const draft = `${folder}.new`
  const passwordFile = `${folder}.password`
  fs.rmSync(draft, { recursive: true, force: true })
  ownFolder(draft, account)
  fs.writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  ownFile(passwordFile, account)
  const options = ['-D', draft, '-U', 'postgres', '--auth=scram-sha-256', '--pwfile', passwordFile, '-E', 'UTF8']
  // The same sorting on every system, whatever its locales.
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  const [command, ...args] = [...account.prefix, initdb, ...options, ...locale]
  try {
    await runTask(processes, 'initdb', command, args, {
      env: inherited(),
      ids: account.ids,
      failure: `PostgreSQL could not make its files in ${folder}; this is what it said:`,
    })
  } finally {
    fs.rmSync(passwordFile, { force: true })
  }
  fs.renameSync(draft, folder)
}

// A killed server leaves a file that says "ready" forever: it must be the word of the one we started.
function isReady(folder, pid) {
  return Number(pidFileLine(folder, PID_LINE)) === pid && pidFileLine(folder, STATUS_LINE).startsWith('ready')
}

function pidFileLine(folder, line) {
  const file = path.join(folder, 'postmaster.pid')
  if (!fs.existsSync(file)) return ''
  return fs.readFileSync(file, 'utf8').split('\n')[line] ?? ''
}

// Where the system knows how, the server is told to stop when this launcher dies. Elsewhere the next start does it.
function dieWithParent() {
  if (process.platform !== 'linux') return []
  const known = spawnSync('setpriv', ['--pdeathsig', 'INT', '--', 'true'], { stdio: 'ignore' }).status === 0
  return known ? ['setpriv', '--pdeathsig', 'INT', '--'] : []
}
