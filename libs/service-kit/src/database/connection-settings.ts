/** A statement that takes longer is stopped, and the request is answered with 503. */
const STATEMENT_TIMEOUT_MS = 10_000
const LOCK_TIMEOUT_MS = 5_000
/**
 * PostgreSQL ends a dbTx that is idle for this long, because its process hangs, and releases its locks. This is less than
 * `LOCK_TIMEOUT_MS`, so others that wait for these locks go on and are not refused. A dbTx of a healthy process is never idle
 * for long, because it waits for nothing but the database.
 */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 3_000
/** How long a pool waits for a connection. */
export const CONNECT_TIMEOUT_MS = 3_000
/**
 * A query fails when the server does not answer for longer than a statement may take. TCP may not report an unreachable
 * server for a quarter of an hour. For the same reason a connection is replaced after `CONNECTION_LIFE_SECONDS`.
 */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 1_000
const CONNECTION_LIFE_SECONDS = 60

/** What holds for each connection of a service. Migrations also make these the settings of its role. */
export const sessionSettings = (schema: string): Readonly<Record<string, string>> => ({
  search_path: schema,
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  lock_timeout: String(LOCK_TIMEOUT_MS),
  idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_TIMEOUT_MS),
})

/** The settings of `pg` for each connection of a service, with `more` settings of its session. */
export function connectionSettings(schema: string, more: Readonly<Record<string, string>> = {}) {
  const settings = Object.entries({ ...sessionSettings(schema), ...more })
  return {
    application_name: schema,
    options: settings.map(([name, value]) => `-c ${name}=${value}`).join(' '),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    maxLifetimeSeconds: CONNECTION_LIFE_SECONDS,
    keepAlive: true,
  }
}
