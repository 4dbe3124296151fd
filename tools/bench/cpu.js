// Who used the processors while a load ran, from Linux's /proc; elsewhere the report leaves it out.
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

/** What each name has used between two looks. What came and went between them is not seen. */
export function cpuBetween(earlier, later) {
  const used = {}
  for (const [pid, { name, seconds }] of later)
    used[name] = (used[name] ?? 0) + seconds - (earlier.get(pid)?.seconds ?? 0)
  return used
}

function secondsOf(pid) {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold anything; what follows it is numbers: state, parent, …, utime, stime.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch (error) {
    // It ended while we looked.
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return 0
    throw error
  }
}
