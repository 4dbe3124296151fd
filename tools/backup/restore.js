import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { Failure } from '../dev/failure.js'
import { inherited } from '../dev/inherited.js'
import { Logs } from '../dev/logs.js'
import { phase, say } from '../dev/output.js'
import { reservePorts } from '../dev/ports.js'
import { startPostgres } from '../dev/postgres.js'
import { ROOT } from '../dev/settings.js'
import { runTask } from '../dev/task.js'
import { MANIFEST, verifyBackup } from './manifest.js'
import { baseBackups, logFolder } from './store.js'

/** The word for the newest state that the archive has. */
const LATEST = 'latest'
/** A log of many days takes long to read again. */
const RECOVERED_WITHIN_MS = 24 * 60 * 60_000
/** PostgreSQL runs the command that fetches the log in a shell, and puts names in place of `%f` and `%p`. */
const PLAIN_PATH = /^[\w./ -]+$/
/** What was numbered after the restored moment is known outside: in mails, at the payment provider. Its numbers are not given again. */
const SKIPPED_NUMBERS = 1_000_000
const CHECK_BOOKS = path.join(ROOT, 'apps/escrow-svc/dist/check-books.js')

/**
 * Makes the database as it was at a moment, in an empty folder: the newest base backup before it, and the archived log until it. Checks the
 * backup first and the books afterwards. While it works, the server listens on this machine only; it is stopped at the end.
 *
 * @param {import('../dev/processes.js').Processes} processes
 * @param {(() => unknown)[]} undo gets what frees ports and files
 * @param {{ store: string, to: string, into: string, adminUrl: string, postgres?: string }} options `to` is a time with its zone, or
 *   `latest`; `adminUrl` the owner's login and database as they were then; `postgres` a server program of the same major version
 * @throws Failure when there is no such backup, when it is damaged, when the archive does not reach the moment, or when the books
 *   are not right. Only in the last case the folder can be used.
 */
export async function restore(processes, undo, { store, to, into, adminUrl, postgres }) {
  const base = chooseBackup(store, to)
  if (!PLAIN_PATH.test(logFolder(store))) throw new Failure(`The path of the store is not plain: ${store}`)
  if (fs.existsSync(into) && fs.readdirSync(into).length > 0) throw new Failure(`The folder ${into} is not empty.`)
  await phase(
    'Checking the backup',
    async () => `${await verifyBackup(base.folder)} files, ${base.ended.toISOString()}`,
  )
  await phase('Copying the backup', () => copy(base.folder, into))
  const { ports, release } = await reservePorts(randomBytes(2).readUInt16BE())
  undo.push(release)
  const url = new URL(adminUrl)
  Object.assign(url, { hostname: '127.0.0.1', port: String(ports.postgres) })
  await phase('Reading the log', () => recover(processes, undo, { store, to, into, port: ports.postgres, postgres }))
  await phase('Skipping numbers', () => skipNumbers(url.href))
  await checkBooks(processes, url.href)
  say(`  ${into} is ready: start PostgreSQL on it.`)
}

function chooseBackup(store, to) {
  const time = to === LATEST ? Number.POSITIVE_INFINITY : timeOf(to)
  const found = baseBackups(store).findLast(({ ended }) => ended.getTime() <= time)
  if (!found) throw new Failure(`${store} has no base backup that ended before ${to}.`)
  return found
}

function timeOf(text) {
  const time = /(Z|[+-]\d\d(:?\d\d)?)$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time))
    throw new Failure(`"${text}" is no time with its zone, such as 2026-11-25T14:30:00Z, and not the word ${LATEST}.`)
  return time
}

function copy(from, into) {
  fs.mkdirSync(into, { recursive: true, mode: 0o700 })
  fs.chmodSync(into, 0o700)
  fs.cpSync(from, into, { recursive: true, mode: fs.constants.COPYFILE_FICLONE })
  fs.rmSync(path.join(into, MANIFEST))
  fs.writeFileSync(path.join(into, 'recovery.signal'), '')
}

// A setting is read before PostgreSQL knows the names of time zones, such as Z.
const asPostgresReads = time => time.replace(/Z$/, '+00')

async function recover(processes, undo, { store, to, into, port, postgres }) {
  const logFiles = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-restore-'))
  const logs = new Logs(logFiles)
  undo.push(() => logs.close())
  const settings = {
    restore_command: `cp "${logFolder(store)}/%f" "%p"`,
    ...(to === LATEST ? {} : { recovery_target_time: asPostgresReads(to) }),
    recovery_target_action: 'promote',
    // Nobody may read before the moment is reached.
    hot_standby: 'off',
    wal_level: 'replica',
    archive_mode: 'off',
  }
  await startPostgres(processes, logs, {
    folder: into,
    port,
    settings,
    readyWithinMs: RECOVERED_WITHIN_MS,
    ...(postgres ? { programs: { postgres } } : {}),
  })
  // A failure names the log, which is therefore kept.
  fs.rmSync(logFiles, { recursive: true })
}

/** Answers when the last change that was restored was committed. */
async function skipNumbers(url) {
  const client = new pg.Client({ connectionString: url, application_name: 'restore' })
  await client.connect().catch(error => {
    throw new Failure(`The restored server refuses the login of DATABASE_ADMIN_URL: ${error.message}.`)
  })
  try {
    await client.query(
      `SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, least(coalesce(last_value, start_value) + $1, max_value))
         FROM pg_sequences`,
      [SKIPPED_NUMBERS],
    )
    const { rows } = await client.query('SELECT pg_last_xact_replay_timestamp() AS at')
    return `the last change is of ${rows[0].at?.toISOString() ?? 'the backup itself'}`
  } finally {
    await client.end()
  }
}

async function checkBooks(processes, url) {
  await runTask(processes, 'check-books', process.execPath, [CHECK_BOOKS], {
    cwd: ROOT,
    env: { ...inherited(), DATABASE_URL: url },
    onLine: line => say(`    ${line}`),
    isNoise: () => true,
    failure: 'The books of the restored database are not right: see docs/runbooks/money.md before anyone uses it.',
  })
}
