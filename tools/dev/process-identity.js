import { spawnSync } from 'node:child_process'
import fs from 'node:fs'

// A pid may have been given to another process since it was written down. A pid and the start time of its process identify
// one process. Linux has both in /proc (slim images have no ps), macOS answers through ps.
const STAT_STATE = 0
const STAT_START_TIME = 19

/** A text that tells the process `pid` from any later one with that number; null when none runs (a zombie does not). */
export function identityOf(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return null
  if (process.platform === 'linux') {
    const stat = readProc(`/proc/${pid}/stat`)
    if (stat === null) return null
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[STAT_STATE] === 'Z' ? null : fields[STAT_START_TIME]
  }
  const answer = ps('lstart=,state=', pid)
  return answer === null || /\sZ\S*$/.test(answer) ? null : answer.replace(/\s+\S+$/, '')
}

/** The command line of the process `pid`, or null when no such process runs. */
export function commandOf(pid) {
  if (process.platform === 'linux') return readProc(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim() ?? null
  return ps('command=', pid)
}

function readProc(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return null
    throw error
  }
}

function ps(columns, pid) {
  const answer = spawnSync('ps', ['-o', columns, '-p', String(pid)], { encoding: 'utf8' })
  return answer.status === 0 ? answer.stdout.trim() || null : null
}
