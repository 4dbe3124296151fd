import { POOLER_SESSIONS } from '@holdfast/engines/pgbouncer'
import pg from 'pg'

/** What a session of the server has beyond a dbTx. pgbouncer itself sets the settings that are left out, to what each client has. */
const SESSION_STATE = `
  SELECT 'a prepared statement: ' || statement AS state FROM pg_prepared_statements
  UNION ALL SELECT 'LISTEN ' || channel FROM pg_listening_channels() channel
  UNION ALL SELECT 'a lock' FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()
  UNION ALL SELECT 'a temporary table: ' || relname FROM pg_class WHERE relnamespace = pg_my_temp_schema()
  UNION ALL SELECT 'the setting ' || name FROM pg_settings WHERE source = 'session' AND lower(name) NOT IN
    ('application_name', 'client_encoding', 'datestyle', 'standard_conforming_strings', 'timezone')`

/**
 * What roles have done that does not work behind a pooler in transaction mode, a sentence each: a role that has never connected to it has
 * gone around it, and state of a session that a dbTx leaves reaches other clients.
 * @param {Record<string, string>} urls the address of the database by way of the pooler, as each role
 * @returns {Promise<string[]>}
 */
export async function faultsBehindPooler(urls) {
  const around = await rolesAround(urls)
  const faults = around.map(role => `${role} goes around the pooler`)
  for (const role of Object.keys(urls).filter(each => !around.includes(each))) {
    const states = (await statesOfSessions(urls[role])).map(
      state => `${role} leaves in a session of the pooler ${state}`,
    )
    faults.push(...new Set(states))
  }
  return faults
}

/** pgbouncer keeps the pool of a role that has connected once. */
async function rolesAround(urls) {
  const [url] = Object.values(urls)
  const console = new pg.Client({ connectionString: Object.assign(new URL(url), { pathname: '/pgbouncer' }).href })
  await console.connect()
  const { rows } = await console.query('SHOW POOLS')
  await console.end()
  const inside = rows.map(({ user }) => user)
  return Object.keys(urls).filter(role => !inside.includes(role))
}

/** The states of all sessions that the pooler has for a role. Each dbTx that is open has another one. */
async function statesOfSessions(url) {
  const clients = Array.from({ length: POOLER_SESSIONS }, () => new pg.Client({ connectionString: url }))
  try {
    for (const client of clients) {
      await client.connect()
      await client.query('BEGIN')
    }
    const results = await Promise.all(clients.map(client => client.query(SESSION_STATE)))
    return results.flatMap(({ rows }) => rows.map(({ state }) => state))
  } finally {
    for (const client of clients) await client.end()
  }
}
