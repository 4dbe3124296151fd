// Who used the processors while a load ran, from Linux's /proc; elsewhere the report leaves it out.
import fs from 'node:fs'

const TICKS_PER_SECOND = 100

/** CPU seconds so far by process of the product; PostgreSQL's by the application that its backends serve. */
export async function cpuSeconds(dataDir, database) {
  const seconds = {}
  if (process.platform !== 'linux') return seconds
  const { rows } = await database.query(`SELECT pid::text, coalesce(nullif(application_name, ''), backend_type) AS name
    FROM pg_stat_activity`)
  const backends = new Map(rows.map(({ pid, name }) => [pid, `PostgreSQL for ${name}`]))
  const names = new Map(
    JSON.parse(fs.readFileSync(`${dataDir}/processes.json`, 'utf8')).map(({ pid, name }) => [String(pid), name]),
  )
  for (const pid of new Set([...names.keys(), ...backends.keys()])) {
    const name = backends.get(pid) ?? names.get(pid)
    if (name) seconds[name] = (seconds[name] ?? 0) + secondsOf(pid)
  }
  return seconds
}

/** `later` less `earlier`, by name. A backend that came or went between is counted for what it did meanwhile, or not. */
export const cpuBetween = (earlier, later) =>
  Object.fromEntries(Object.entries(later).map(([name, seconds]) => [name, seconds - (earlier[name] ?? 0)]))

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
