import { CONNECTIONS_OF, SERVICES, SERVICES_WITH_DATA, type ServiceName } from '@holdfast/contracts/topology'
import type { DatabaseConfig } from '../lifecycle/config.js'
import { loggerOf } from '../telemetry/logging.js'

/** Connections of one process to its database, for ordinary queries. Only these go through a pooler. */
export const POOL_SIZE = 8
/** Those of the sandbox, of a migration, and of an operator with psql. */
const OTHER_CONNECTIONS = 10

/** PostgreSQL gives fewer connections than may be opened. */
export class TooManyConnections extends Error {
  override readonly name = 'TooManyConnections'
}

/** What a service opens at a server: so many replicas, so many connections of each, and what a pooler opens for all of them. */
export interface Share {
  readonly of: string
  readonly replicas: number
  readonly connections: number
  readonly pooled: number
}

/**
 * What all services together open at the server of the database, the service's own share first. A service behind a pooler assumes that all
 * others are behind it, too, and counts the pooler's sessions for the role of each. One without `POOLER_CONNECTIONS` assumes that none is,
 * and may refuse to boot.
 *
 * @param service which asks
 * @param connections the most that one replica of it opens, all pools and single connections counted
 */
export function sharesOfAll(
  service: ServiceName,
  connections: number,
  { REPLICAS, POOLER_CONNECTIONS }: Pick<DatabaseConfig, 'REPLICAS' | 'POOLER_CONNECTIONS'>,
): readonly [Share, ...Share[]] {
  const share = (of: ServiceName, opened: number): Share =>
    POOLER_CONNECTIONS && SERVICES_WITH_DATA.includes(of)
      ? { of, replicas: REPLICAS[of], connections: opened - POOL_SIZE, pooled: POOLER_CONNECTIONS }
      : { of, replicas: REPLICAS[of], connections: opened, pooled: 0 }
  return [
    share(service, connections),
    ...SERVICES.filter(name => name !== service).map(name => share(name, CONNECTIONS_OF[name])),
    { of: 'others', replicas: 1, connections: OTHER_CONNECTIONS, pooled: 0 },
  ]
}

/** How many connections the shares are together. */
export const sumOf = (shares: readonly Share[]): number =>
  shares.reduce((sum, { replicas, connections, pooled }) => sum + replicas * connections + pooled, 0)

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
 * Compares what may be opened with the limits of the server, of its database and of the service's role.
 *
 * @param query runs a statement as the service's role
 * @param shares of everybody who opens connections there. The first is the service's own: it is compared with the role.
 * @throws TooManyConnections in production; elsewhere it is logged
 */
export async function requireConnections(
  query: (sql: string) => Promise<unknown[]>,
  shares: readonly [Share, ...Share[]],
  { NODE_ENV: environment }: Pick<DatabaseConfig, 'NODE_ENV'>,
): Promise<void> {
  const [limits] = (await query(LIMITS)) as [Limits]
  const exceeded = [
    { of: 'the server (max_connections without what is reserved)', limit: limits.server, shares },
    { of: `the role ${limits.role} (CONNECTION LIMIT)`, limit: limits.role_limit, shares: [shares[0]] },
    { of: `the database ${limits.database} (CONNECTION LIMIT)`, limit: limits.database_limit, shares },
  ].find(each => each.limit >= 0 && sumOf(each.shares) > each.limit)
  if (!exceeded) return
  const list = exceeded.shares.map(described).join(', ')
  const message =
    `up to ${sumOf(exceeded.shares)} connections may be opened (REPLICAS × connections of each: ${list}), and ${exceeded.of} allows ` +
    `${exceeded.limit}: raise that limit, or run fewer replicas`
  if (environment === 'production') throw new TooManyConnections(message)
  loggerOf('database').warn(message)
}

const described = ({ of, replicas, connections, pooled }: Share): string =>
  `${of} ${replicas} × ${connections}${pooled > 0 ? ` + ${pooled} of the pooler` : ''}`
