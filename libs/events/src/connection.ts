import { isDoneWithin } from '@holdfast/service-kit/lifecycle/waiting'
import pg from 'pg'

/** The server gives up on a statement after this, and the client on a server that does not answer a little later. */
const STATEMENT_TIMEOUT_MS = 30_000
const QUERY_TIMEOUT_MS = 35_000
const CONNECT_TIMEOUT_MS = 5_000
const END_TIMEOUT_MS = 1_000

/** A claim holds its transaction open while handlers work: longer than a few of them at their limit means a hung process. */
const IDLE_IN_TRANSACTION_MS = 120_000

/** Connection settings of everything in this library: no wait without an end, and a name an operator can find. */
export function connectionConfig(
  databaseUrl: string,
  name: string,
  settings: Record<string, string> = {},
): pg.ClientConfig {
  const all = {
    statement_timeout: STATEMENT_TIMEOUT_MS,
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

/** Ends a connection, also one whose other end is gone. */
export async function endClient(client: pg.Client | undefined): Promise<void> {
  // A connection that broke before says so again here, and that is no news.
  if (client)
    await isDoneWithin(
      END_TIMEOUT_MS,
      client.end().catch(() => undefined),
    )
}
