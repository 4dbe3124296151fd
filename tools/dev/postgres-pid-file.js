import fs from 'node:fs'
import path from 'node:path'
import { commandOf } from './process-identity.js'

// Lines of the file, counted from 0. pg_ctl reads the same ones.
const PID_LINE = 0
const PORT_LINE = 3
const STATUS_LINE = 7

/** The file in which a PostgreSQL server describes itself, in its folder of data. */
export const pidFileIn = folder => path.join(folder, 'postmaster.pid')

/**
 * What a server says of itself: `{ pid, port, isReady }`, with null for what it has not written yet; null when there is no file. The file of a
 * killed server stays, and says "ready" for ever. The server that starts after it removes the file and writes its own.
 */
export function readPidFile(folder) {
  let text
  try {
    text = fs.readFileSync(pidFileIn(folder), 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
  const lines = text.split('\n')
  const number = line => Number(lines[line]) || null
  return { pid: number(PID_LINE), port: number(PORT_LINE), isReady: lines[STATUS_LINE]?.startsWith('ready') ?? false }
}

/**
 * The process of the server that runs on a folder; null when none runs. The file of a killed server stays: its number may be that of
 * another process by now, such as the launcher, which writes its own there before it starts the next server.
 */
export function serverPid(folder) {
  const pid = readPidFile(folder)?.pid
  if (!pid) return null
  const command = commandOf(pid)
  return command?.includes('postgres') && command.includes(folder) ? pid : null
}
