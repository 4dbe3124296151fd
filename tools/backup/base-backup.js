import fs from 'node:fs'
import pg from 'pg'
import { Failure } from '../dev/failure.js'
import { until } from '../dev/wait.js'
import { receiveBackup } from './backup-stream.js'
import { verifyBackup } from './manifest.js'
import { baseFolder, draftFolder, flushToDisk } from './store.js'

/** How long the server may take to archive the last log file that a backup needs. */
const ARCHIVED_WITHIN_MS = 10 * 60_000
const ARCHIVED_STEP_MS = 250

/**
 * Copies the files of a running server into the store, over a connection, as `pg_basebackup` does. Then waits until the server has
 * archived the log that belongs to the copy, and reads the copy again to compare it with its checksums. Answers its folder.
 *
 * @param {string} store
 * @param {string} url a login that may replicate
 * @throws Failure when the server does not archive its log, or has tablespaces
 */
export async function takeBaseBackup(store, url) {
  // The declared types of `pg` do not have `replication`.
  const settings = { connectionString: url, replication: 'database', application_name: 'base-backup' }
  const client = new pg.Client(settings)
  // The query that is running fails when the connection is lost. Without a listener the process would end before.
  client.on('error', () => undefined)
  await client.connect().catch(error => {
    throw new Failure(`The server gives no backup: ${error.message}.`)
  })
  const draft = draftFolder(store)
  try {
    await requireArchive(client)
    fs.mkdirSync(draft, { recursive: true, mode: 0o700 })
    const { stopLsn } = await receiveBackup(client, draft)
    await requireArchived(client, stopLsn)
    const { rows } = await client.query('SELECT clock_timestamp() AS ended')
    await verifyBackup(draft)
    flushToDisk()
    const folder = baseFolder(store, rows[0].ended)
    fs.renameSync(draft, folder)
    return folder
  } finally {
    fs.rmSync(draft, { recursive: true, force: true })
    await client.end()
  }
}

async function requireArchive(client) {
  const { rows } = await client.query(`
    SELECT current_setting('archive_mode') AS mode, last_failed_wal AS failed,
      last_failed_time IS NOT NULL AND last_failed_time > coalesce(last_archived_time, '-infinity') AS failing
    FROM pg_stat_archiver`)
  const [{ mode, failed, failing }] = rows
  if (mode === 'off')
    throw new Failure(
      'The server does not archive its log (archive_mode is off): without the log no backup can be restored.',
    )
  if (failing) throw new Failure(`The server cannot archive its log since ${failed}: its own log says why.`)
}

/** The server has begun another file of its log at the end of the backup, so it archives the file before without delay. */
async function requireArchived(client, stopLsn) {
  const reached = `SELECT coalesce(left(last_archived_wal, 24) >= pg_walfile_name('${stopLsn}'), false) AS reached FROM pg_stat_archiver`
  const isArchived = async () => (await client.query(reached)).rows[0].reached
  if (await until(isArchived, { withinMs: ARCHIVED_WITHIN_MS, everyMs: ARCHIVED_STEP_MS })) return
  throw new Failure('The server has not archived the log of this backup in time: its own log says why.')
}
