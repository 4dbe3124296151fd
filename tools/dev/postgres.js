import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { Failure } from './failure.js'
import { inherited } from './inherited.js'
import { lastLines } from './logs.js'
import { ownFile, ownFolder, unprivilegedAccount } from './postgres-account.js'
import { findPostgres } from './postgres-binaries.js'
import { pidFileIn, readPidFile, serverPid } from './postgres-pid-file.js'
import { STOPS } from './processes.js'
import { runTask } from './task.js'
import { until } from './wait.js'

// A server that recovers from its log on a slow disk is not ended half way: the next start would begin again.
const READY_WITHIN_MS = 5 * 60_000
const READY_STEP_MS = 25
// How a server that a killed launcher left is stopped. SIGINT cancels running statements, SIGQUIT ends the server at once and
// makes the next start recover, SIGKILL is the last resort. Each signal is given some time.
const ORPHAN_SIGNALS = [
  { signal: 'SIGINT', withinMs: 30_000 },
  { signal: 'SIGQUIT', withinMs: 10_000 },
  { signal: 'SIGKILL', withinMs: 10_000 },
]

// A server for one machine: connections for the most replicas, and committed data is as safe as in production. With 64 MB of buffers, money commands
// wait under load until pages are read and written (docs/performance.md).
export const SERVER_SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '400',
  shared_buffers: '256MB',
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
 * Starts a real PostgreSQL on a folder and waits until it accepts connections. Makes the database files when there are none,
 * and first stops a server that a killed launcher left on the folder. Answers the server's entry in `processes`.
 *
 * @param {import('./processes.js').Processes} processes
 * @param {import('./logs.js').Logs} logs
 * @param {{ folder: string, port: number, password?: string, settings?: Record<string, string>, programs?: { postgres: string },
 *   readyWithinMs?: number }} database `password` of the owner of a new database; `programs` in place of those from npm
 */
export async function startPostgres(processes, logs, database) {
  const { folder, port, password, settings = {}, programs = findPostgres(), readyWithinMs = READY_WITHIN_MS } = database
  const account = unprivilegedAccount(programs.postgres)
  await stopOrphan(folder)
  if (!fs.existsSync(path.join(folder, 'PG_VERSION')))
    await createCluster(processes, { ...findPostgres(), ...programs }, account, folder, password)
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
    stops: STOPS.database,
    // A fast shutdown: running statements are cancelled, committed data is kept.
    stopSignal: 'SIGINT',
  })
  fs.closeSync(log.descriptor)
  const ready = await until(() => entry.ended || isReady(folder, entry.pid), {
    withinMs: readyWithinMs,
    everyMs: READY_STEP_MS,
  })
  if (!ready || entry.ended) {
    throw new Failure(`PostgreSQL did not start; the last lines of ${log.file}:`, lastLines(log))
  }
  return /** @type {import('./processes.js').Entry & { pid: number }} */ (entry)
}

/**
 * Stops the server that a killed launcher left on `folder`, also one that refuses everyone. First makes sure that the process
 * named in its pid file is that server and not another process with the same number. Afterwards the pid file does not keep a
 * server from starting.
 */
export async function stopOrphan(folder) {
  const pid = serverPid(folder)
  const runs = () => pid !== null && serverPid(folder) === pid
  for (const { signal, withinMs } of ORPHAN_SIGNALS) {
    if (pid === null || !runs()) break
    process.kill(pid, signal)
    await until(() => !runs(), { withinMs, everyMs: READY_STEP_MS })
  }
  if (runs())
    throw new Failure(`PostgreSQL still runs on ${folder} (process ${pid}) and does not stop: end it, and start again.`)
  markAsOurs(folder)
}

// PostgreSQL refuses to start while a process has the number in its pid file: also a zombie, and also another program that
// got the number since. It accepts the number of its own parent as that of a dead server (CreateLockFile in PostgreSQL's
// miscinit.c). The rest of the file must stay: by it PostgreSQL finds out whether a process still uses the files.
function markAsOurs(folder) {
  const file = pidFileIn(folder)
  if (!fs.existsSync(file)) return
  const [, ...rest] = fs.readFileSync(file, 'utf8').split('\n')
  fs.writeFileSync(file, [process.pid, ...rest].join('\n'))
}

// Made in another folder and renamed when complete, so that an interrupted start leaves no incomplete database.
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
      failure: `PostgreSQL could not make its files in ${folder}; this is what it printed:`,
    })
  } finally {
    fs.rmSync(passwordFile, { force: true })
  }
  fs.renameSync(draft, folder)
}

// A killed server leaves a file that says "ready" for ever, so the pid in it must be the one we started.
function isReady(folder, pid) {
  const written = readPidFile(folder)
  return written !== null && written.pid === pid && written.isReady
}

// On Linux with setpriv, the kernel stops the server when this launcher dies. Elsewhere the next start does it.
function dieWithParent() {
  if (process.platform !== 'linux') return []
  const known = spawnSync('setpriv', ['--pdeathsig', 'INT', '--', 'true'], { stdio: 'ignore' }).status === 0
  return known ? ['setpriv', '--pdeathsig', 'INT', '--'] : []
}
