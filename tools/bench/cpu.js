// Processor time by process while a load runs, from Linux's /proc. On other systems the report leaves it out.
import fs from 'node:fs'

const TICKS_PER_SECOND = 100

/** CPU seconds so far: `{ name, seconds }` by pid, for the product's processes and PostgreSQL's backends by their application. */
export async function cpuSeconds(dataDir, database) {
  if (process.platform !== 'linux') return new Map()
  const { rows } = await database.query(`SELECT pid::text, coalesce(nullif(application_name, ''), backend_type) AS name
    FROM pg_stat_activity`)
  const started = JSON.parse(fs.readFileSync(`${dataDir}/processes.json`, 'utf8'))
  const names = new Map([
    ...started.map(({ pid, name }) => [String(pid), name]),
    ...rows.map(({ pid, name }) => [pid, `PostgreSQL for ${name}`]),
  ])
  return new Map([...names].map(([pid, name]) => [pid, { name, seconds: secondsOf(pid) }]))
}

/** Processor seconds of each name between two samples. Processes that started and ended in between are not counted. */
export function cpuBetween(earlier, later) {
  const used = {}
  for (const [pid, { name, seconds }] of later)
    used[name] = (used[name] ?? 0) + seconds - (earlier.get(pid)?.seconds ?? 0)
  return used
}

function secondsOf(pid) {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may contain anything. Behind it follow state, parent, …, utime, stime.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch (error) {
    // The process has ended meanwhile.
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return 0
    throw error
  }
}
