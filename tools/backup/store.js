/**
 * A store is a folder on another disk, or on storage that is mounted: `base/<time at which it ended>/` is a base backup, and `wal/` has the
 * server's log, which the server itself archives.
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { Failure } from '../dev/failure.js'

const BASE = 'base'
const DRAFT_END = '.unfinished'
/** The names of log files and of those that belong to them: a timeline and a position, in hexadecimal digits. */
const LOG_FILE = /^[0-9A-F]{24}/
const POSITION_AT = 8

/** The folder of a base backup that ended at a time. */
export const baseFolder = (store, ended) => path.join(store, BASE, ended.toISOString().replaceAll(':', '-'))

/** Where a base backup is written until it is complete. */
export const draftFolder = store => path.join(store, BASE, `${process.pid}${DRAFT_END}`)

/** The archived log. */
export const logFolder = store => path.join(store, 'wal')

/** The complete base backups, oldest first: `{ folder, ended }`. */
export function baseBackups(store) {
  const folder = path.join(store, BASE)
  if (!fs.existsSync(folder)) return []
  return fs
    .readdirSync(folder)
    .filter(name => !name.endsWith(DRAFT_END))
    .sort()
    .map(name => ({ folder: path.join(folder, name), ended: new Date(name.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:')) }))
}

/** Deletes all base backups but the newest `keep`, and the log that none of these needs. Answers what was deleted. */
export function prune(store, keep) {
  const all = baseBackups(store)
  const kept = all.slice(-keep)
  const old = all.slice(0, -keep)
  for (const { folder } of old) fs.rmSync(folder, { recursive: true })
  const first = kept.map(({ folder }) => firstLogFile(folder).slice(POSITION_AT)).sort()[0]
  const logs = fs
    .readdirSync(logFolder(store))
    .filter(name => LOG_FILE.test(name) && name.slice(POSITION_AT, 24) < (first ?? ''))
  for (const name of logs) fs.rmSync(path.join(logFolder(store), name))
  return { backups: old.length, logFiles: logs.length }
}

/** The first file of the log that a base backup needs. */
function firstLogFile(folder) {
  const label = fs.readFileSync(path.join(folder, 'backup_label'), 'utf8')
  const name = /^START WAL LOCATION: .* \(file ([0-9A-F]{24})\)/.exec(label)?.[1]
  if (!name) throw new Failure(`The backup in ${folder} does not say which log it needs.`)
  return name
}

/** Returns when what was written is on the disk. */
export function flushToDisk() {
  if (spawnSync('sync').status !== 0) throw new Failure('The files could not be written to the disk (sync failed).')
}
