import { isDoneWithin } from '@holdfast/service-kit/lifecycle/waiting'
import pg from 'pg'

/** The server gives up on a statement after this, and the client on a server that does not answer a little later. */
const STATEMENT_TIMEOUT_MS = 30_000
const QUERY_TIMEOUT_MS = 35_000
const CONNECT_TIMEOUT_MS = 5_000
const END_TIMEOUT_MS = 1_000

/** A session that holds a lock or a dbTx and says nothing for this long belongs to a process that hangs. The server ends it. */
export const SILENT_MS = 5_000
/** How often a process says that it lives while it waits for something else (`whileAlive`). */
const ALIVE_EVERY_MS = 1_000

/** Connection settings of everything in this library: every wait has a limit, and the connection has a name. */
export function connectionConfig(
  databaseUrl: string,
  name: string,
  settings: Record<string, string> = {},
): pg.ClientConfig {
  const all = {
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: 0,
    idle_in_transaction_session_timeout: SILENT_MS,
    ...settings,
  }
  return {
    connectionString: databaseUrl,
    application_name: name,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    options: Object.entries(all)
      .map(([key, value]) => `-c ${key}=${value}`)
      .join(' '),
  }
}

/**
 * Waits for work that does not use a connection, and meanwhile shows the server that this process lives, so that the session keeps its locks.
 * A process that is paused does not, and loses them to another replica.
 */
export async function whileAlive<T>(client: pg.ClientBase, work: Promise<T>): Promise<T> {
  let shown: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    // A session that has ended shows when it is used next.
    shown = shown.then(() => client.query('SELECT 1')).catch(() => undefined)
  }, ALIVE_EVERY_MS)
  try {
    return await work
  } finally {
    clearInterval(timer)
    await shown
  }
}

/** A pool whose lost connections are logged. The pool replaces a connection that breaks, and the query that used it rejects. */
export function eventsPool(config: pg.PoolConfig, logger: { warn(details: object, message: string): void }): pg.Pool {
  const pool = new pg.Pool(config)
  const lost = (error: Error): void => logger.warn({ err: error }, 'a database connection was lost')
  // Without these listeners an `error` event would end the process, also between connecting and the first query.
  pool.on('connect', client => client.on('error', lost))
  // The pool repeats what an idle client has said.
  pool.on('error', () => undefined)
  return pool
}

/** Ends a connection, also when the server no longer answers. */
export async function endClient(client: pg.Client | undefined): Promise<void> {
  // A connection that broke before fails here again; that error was reported already.
  if (client)
    await isDoneWithin(
      END_TIMEOUT_MS,
      client.end().catch(() => undefined),
    )
}
