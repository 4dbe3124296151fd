import pg from 'pg'
import { gauge } from '../telemetry/metrics.js'
import { bound } from '../telemetry/telemetry.js'
import { getTypeParser } from './bigint-rows.js'
import { connectionSettings } from './connection-settings.js'
import { GuardedClient, reportLostConnection } from './guarded-client.js'

export interface PoolOptions {
  readonly schema: string
  readonly max: number
  /** The pool's name in metrics. */
  readonly name?: string
  /** Makes PostgreSQL plan a named statement once for all parameters, where the best plan does not depend on them. */
  readonly forceGenericPlan?: boolean
}

/**
 * A pool without TypeORM, for the money commands. It reads `bigint` and `bigint[]` as BigInt, which other pools do not. The
 * provider that creates it ends it in `onApplicationShutdown`.
 */
export function createPool(
  url: string,
  { schema, max, name = 'direct', forceGenericPlan = false }: PoolOptions,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    Client: GuardedClient,
    ...connectionSettings(schema, forceGenericPlan ? { plan_cache_mode: 'force_generic_plan' } : {}),
    types: { getTypeParser },
  })
  pool.on('error', reportLostConnection)
  watchPool(name, pool)
  recordInCallersTrace(pool)
  return pool
}

/** Records a statement in the trace of its caller, also when another caller's statement ends first and makes room for it. */
function recordInCallersTrace(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool) as (...callback: unknown[]) => unknown
  Object.assign(pool, { connect: (callback?: unknown) => (callback ? connect(bound(callback)) : connect()) })
}

/** Shows at every scrape how many connections of a pool are in use, and how many queries wait for one. */
export function watchPool(name: string, pool: pg.Pool): void {
  const db_client_connection_pool_name = name
  gauge('db_client_connection_pending_requests', 'Queries that wait for a connection', [POOL_LABEL], pending => {
    pending.set({ db_client_connection_pool_name }, pool.waitingCount)
  })
  gauge('db_client_connection_count', 'Connections of a pool, by state', [POOL_LABEL, STATE_LABEL], count => {
    const states = { idle: pool.idleCount, used: pool.totalCount - pool.idleCount }
    for (const [db_client_connection_state, n] of Object.entries(states))
      count.set({ db_client_connection_pool_name, db_client_connection_state }, n)
  })
}
// OpenTelemetry's names.
const POOL_LABEL = 'db_client_connection_pool_name'
const STATE_LABEL = 'db_client_connection_state'
