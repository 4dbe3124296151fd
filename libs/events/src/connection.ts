import { isDoneWithin } from '@holdfast/service-kit/lifecycle/waiting'
import pg from 'pg'

/** The server gives up on a statement after this, and the client on a server that does not answer a little later. */
const STATEMENT_TIMEOUT_MS = 30_000
const QUERY_TIMEOUT_MS = 35_000
const CONNECT_TIMEOUT_MS = 5_000
const END_TIMEOUT_MS = 1_000

/** A claim keeps its dbTx open while handlers work. A dbTx that is open for longer belongs to a process that hangs. */
const IDLE_IN_TRANSACTION_MS = 120_000

/** Connection settings of everything in this library: every wait has a limit, and the connection has a name. */
export function connectionConfig(
  databaseUrl: string,
  name: string,
  settings: Record<string, string> = {},
): pg.ClientConfig {
  const all = {
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: 0,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
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

/** A pool whose lost connections are logged. The pool replaces a connection that breaks, and the query that used it rejects. */
export function eventsPool(config: pg.PoolConfig, logger: { warn(details: object, message: string): void }): pg.Pool {
  const pool = new pg.Pool(config)
  const lost = (error: Error): void => logger.warn({ err: error }, 'a database connection was lost')
  // Without these listeners an `error` event would end the process, also between connecting and the first query.
  pool.on('error', lost)
  pool.on('connect', client => client.on('error', lost))
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
