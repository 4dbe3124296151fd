import type { DatabaseConfig } from '../lifecycle/config.js'
import { loggerOf } from '../telemetry/logging.js'

/** The replicas of a service may open more connections than PostgreSQL gives them. */
export class TooManyConnections extends Error {
  override readonly name = 'TooManyConnections'
}

interface Limits {
  readonly role: string
  readonly database: string
  readonly server: number
  readonly role_limit: number
  readonly database_limit: number
}

// A negative CONNECTION LIMIT means none. PostgreSQL before 16 has no reserved_connections.
const LIMITS = `
  SELECT session_user AS role, current_database() AS database,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0) AS server,
    (SELECT rolconnlimit FROM pg_roles WHERE rolname = session_user) AS role_limit,
    (SELECT datconnlimit FROM pg_database WHERE datname = current_database()) AS database_limit`

/**
 * Compares what all replicas of a service may open with the limits of the server, of its database and of its role. What other
 * services open is not known here: `tools/deploy/connections.spec.js` adds up all of them.
 *
 * @param query runs a statement as the service's role
 * @param connections the most that one replica opens at the server itself, all pools and single connections counted
 * @throws TooManyConnections in production; elsewhere it is logged
 */
export async function requireConnections(
  query: (sql: string) => Promise<unknown[]>,
  connections: number,
  { REPLICAS: replicas, NODE_ENV: environment }: Pick<DatabaseConfig, 'REPLICAS' | 'NODE_ENV'>,
): Promise<void> {
  const [limits] = (await query(LIMITS)) as [Limits]
  const needed = connections * replicas
  const exceeded = [
    { of: 'the server (max_connections without what is reserved)', limit: limits.server },
    { of: `the role ${limits.role} (CONNECTION LIMIT)`, limit: limits.role_limit },
    { of: `the database ${limits.database} (CONNECTION LIMIT)`, limit: limits.database_limit },
  ].find(({ limit }) => limit >= 0 && needed > limit)
  if (!exceeded) return
  const message =
    `REPLICAS=${replicas} of this service open up to ${needed} connections, ${connections} each, and ${exceeded.of} allows ` +
    `${exceeded.limit}: raise that limit, or run fewer replicas`
  if (environment === 'production') throw new TooManyConnections(message)
  loggerOf('database').warn(message)
}
