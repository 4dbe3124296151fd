import type { Socket } from 'node:net'
import { type DynamicModule, Injectable, Module, type OnApplicationBootstrap } from '@nestjs/common'
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm'
import pg from 'pg'
import { DataSource, type EntityManager, type EntityTarget, type MigrationInterface, type ObjectLiteral } from 'typeorm'
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js'
import { Clock } from '../lifecycle/clock.js'
import { CONFIG, type DatabaseConfig } from '../lifecycle/config.js'
import { Health } from '../lifecycle/health.js'
import { loggerOf } from '../telemetry/logging.js'
import { gauge, histogram } from '../telemetry/metrics.js'
import { bound, failSpan } from '../telemetry/telemetry.js'
import { ClockWatch } from './clock-watch.js'
import { requireConnections } from './connection-limits.js'
import { databaseTime } from './database-time.js'
import { READ_TIMEOUT } from './database-trouble.js'
import { untilDatabaseAnswers } from './database-wait.js'
import { startStatementSpan } from './statement-spans.js'
import { TypeOrmLog } from './typeorm-log.js'

/** Connections of one process to its database, for ordinary queries. */
export const POOL_SIZE = 8
/** A statement that takes longer is stopped, and the request is answered with 503. */
export const STATEMENT_TIMEOUT_MS = 10_000
const LOCK_TIMEOUT_MS = 5_000
/**
 * PostgreSQL ends a dbTx that is idle for this long, and releases its locks: its process hangs. It is less than the time for which others wait
 * for a lock, so they go on and are not refused. Within a dbTx, nothing but the database is waited for.
 */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 3_000
export const CONNECT_TIMEOUT_MS = 3_000
/**
 * A query fails when the server does not answer for longer than a statement may take. TCP may not report an unreachable
 * server for a quarter of an hour. For the same reason a connection is replaced after `CONNECTION_LIFE_SECONDS`.
 */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 1_000
const CONNECTION_LIFE_SECONDS = 60

/** The table in which TypeORM records the migrations of a schema. */
export const MIGRATIONS_TABLE = 'migrations'

type MigrationClass = new () => MigrationInterface

export interface DatabaseOptions {
  /** The service's schema, in which unqualified names are found. */
  readonly schema: string
  readonly entities: readonly EntityTarget<ObjectLiteral>[]
  /** The migrations that this code knows. The service is ready only when the newest of them is applied. */
  readonly migrations: readonly MigrationClass[]
  /** The most connections that one replica of the service opens: these, and those of its other pools. */
  readonly connections: number
}

/**
 * TypeORM for a service, on the DATABASE_URL of its configuration, which may be that of a pooler, with readiness checks of the database and of the clock. The
 * boot compares its connections with the database's limits (`requireConnections`). Inject `DataSource`, or repositories by
 * `TypeOrmModule.forFeature`.
 */
export function databaseModule(options: DatabaseOptions): DynamicModule {
  return {
    module: DatabaseModule,
    imports: [
      TypeOrmModule.forRootAsync({
        inject: [CONFIG],
        useFactory: (config: DatabaseConfig) => dataSourceOptions(config, options),
        dataSourceFactory: async given => {
          const dataSource = await untilDatabaseAnswers(() => new DataSource(given!).initialize())
          watchPool('orm', (dataSource.driver as PostgresDriver).master)
          return dataSource
        },
      }),
    ],
    providers: [
      {
        provide: ENOUGH_CONNECTIONS,
        inject: [getDataSourceToken(), CONFIG],
        useFactory: (dataSource: DataSource, config: DatabaseConfig) =>
          requireConnections(
            sql => dataSource.query(sql),
            options.connections - (isPooled(config) ? POOL_SIZE : 0),
            config,
          ),
      },
      {
        provide: DatabaseReadiness,
        inject: [getDataSourceToken(), Health],
        useFactory: (dataSource: DataSource, health: Health) => new DatabaseReadiness(dataSource, health, options),
      },
      {
        provide: ClockWatch,
        inject: [getDataSourceToken(), Clock, Health],
        useFactory: (dataSource: DataSource, clock: Clock, health: Health) =>
          new ClockWatch(() => databaseTime(dataSource), clock, health),
      },
    ],
  }
}

const ENOUGH_CONNECTIONS = Symbol('enough connections')

@Module({})
class DatabaseModule {}

/** Adds the database to the checks that must pass before the service takes traffic. */
@Injectable()
class DatabaseReadiness implements OnApplicationBootstrap {
  constructor(
    private readonly dataSource: DataSource,
    private readonly health: Health,
    private readonly options: DatabaseOptions,
  ) {}

  onApplicationBootstrap(): void {
    this.health.add({ name: 'database', kind: 'required', run: () => this.check() })
  }

  private async check(): Promise<void> {
    const newest = newestMigration(this.options.migrations)
    if (newest === null) {
      await this.dataSource.query('select 1')
      return
    }
    const table = `${pg.escapeIdentifier(this.options.schema)}.${MIGRATIONS_TABLE}`
    const found: unknown[] = await this.dataSource.query(`select 1 from ${table} where name = $1`, [newest])
    if (found.length === 0) throw new Error(`migration ${newest} is not applied`)
  }
}

/** The name that TypeORM records for a migration. */
export const nameOfMigration = (migration: MigrationClass): string => new migration().name ?? migration.name

/** The name of the migration with the latest timestamp; by TypeORM's rule a name ends in its timestamp. */
function newestMigration(migrations: readonly MigrationClass[]): string | null {
  const names = migrations.map(nameOfMigration)
  return names.sort((a, b) => timestampOf(a) - timestampOf(b)).at(-1) ?? null
}

const timestampOf = (name: string): number => Number(name.slice(-13))

/** Whether DATABASE_URL leads to a pooler. */
const isPooled = (config: DatabaseConfig): boolean => config.DATABASE_DIRECT_URL !== undefined

function dataSourceOptions(config: DatabaseConfig, { schema, entities }: DatabaseOptions) {
  // A pooler refuses settings with the connection. Then those of the role apply, which migrations make.
  const { options, ...settings } = connectionSettings(schema)
  return {
    type: 'postgres' as const,
    url: config.DATABASE_URL,
    schema,
    entities: [...entities] as never[],
    synchronize: false,
    // A service's role may not create extensions; migrations do.
    installExtensions: false,
    migrationsRun: false,
    logging: false as const,
    logger: new TypeOrmLog(),
    poolSize: POOL_SIZE,
    retryAttempts: 0,
    applicationName: schema,
    poolErrorHandler: reportLostConnection,
    extra: { ...settings, ...(isPooled(config) ? {} : { options }), max: POOL_SIZE, Client: GuardedClient },
  }
}

// OpenTelemetry's name.
const statements = histogram(
  'db_client_operation_duration_seconds',
  'Time from sending a statement to its answer or its failure',
)

/** Logs a lost connection. The pool makes another one, and a running query rejects by itself. */
function reportLostConnection(error: unknown): void {
  loggerOf('database').warn({ err: error }, 'a connection to the database was lost')
}

/**
 * A connection that logs errors that no listener handles, because an unhandled `error` event would end the process. `pg`
 * has no listener on a connection between connecting and its first use, nor between two uses. It measures every statement, and records
 * those of a recorded trace. For `Client` of a `pg.Pool`.
 */
export class GuardedClient extends pg.Client {
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event !== 'error' || this.listenerCount('error') > 0) return super.emit(event, ...args)
    reportLostConnection(args[0])
    return true
  }

  // A server that did not answer in time may go on later, inside a dbTx whose end was never sent. The connection must not
  // be used again: the pool drops it when its socket ends, while TypeORM would reuse it.
  override query(...args: unknown[]): never {
    const startedMs = performance.now()
    const span = startStatementSpan(args[0])
    const measure = (error?: unknown) => {
      statements.observe((performance.now() - startedMs) / 1000)
      if (span && error) failSpan(span, error)
      span?.end()
    }
    const callback = args.at(-1)
    if (typeof callback === 'function')
      args[args.length - 1] = (...outcome: unknown[]) => {
        measure(outcome[0])
        callback(...outcome)
      }
    const answer: unknown = super.query(...(args as [never]))
    if (answer instanceof Promise)
      answer.then(
        () => measure(),
        (error: unknown) => {
          measure(error)
          if (error instanceof Error && error.message === READ_TIMEOUT) this.#socket.destroy(error)
        },
      )
    return answer as never
  }

  get #socket(): Socket {
    return (this as unknown as { connection: { stream: Socket } }).connection.stream
  }
}

/** What holds for each connection of a service. Migrations also make these the settings of its role. */
export const sessionSettings = (schema: string): Readonly<Record<string, string>> => ({
  search_path: schema,
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  lock_timeout: String(LOCK_TIMEOUT_MS),
  idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_TIMEOUT_MS),
})

function connectionSettings(schema: string, more: Readonly<Record<string, string>> = {}) {
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

export interface PoolOptions {
  readonly schema: string
  readonly max: number
  /** Makes PostgreSQL plan a named statement once for all parameters, where the best plan does not depend on them. */
  readonly forceGenericPlan?: boolean
}

const INT8 = 20
const INT8_ARRAY = 1016
const TEXT_ARRAY = 1009

/**
 * A pool without TypeORM, for the money commands. It reads `bigint` and `bigint[]` as BigInt, which other pools do not. The
 * provider that creates it ends it in `onApplicationShutdown`.
 */
export function createPool(url: string, { schema, max, forceGenericPlan = false }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    Client: GuardedClient,
    ...connectionSettings(schema, forceGenericPlan ? { plan_cache_mode: 'force_generic_plan' } : {}),
    types: { getTypeParser },
  })
  pool.on('error', reportLostConnection)
  watchPool('direct', pool)
  recordInCallersTrace(pool)
  return pool
}

/** Records a statement in the trace of its caller, also when another caller's statement ends first and makes room for it. */
function recordInCallersTrace(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool) as (...callback: unknown[]) => unknown
  Object.assign(pool, { connect: (callback?: unknown) => (callback ? connect(bound(callback)) : connect()) })
}

/** Shows at every scrape how many connections of a pool are in use, and how many queries wait for one. */
function watchPool(name: string, pool: pg.Pool): void {
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

/** Runs a statement in the dbTx of `dbTx`. It reads `bigint` as BigInt, as a pool of `createPool` does. */
export async function rowsWithin<R extends pg.QueryResultRow>(
  dbTx: EntityManager,
  { text, values }: { readonly text: string; readonly values: unknown[] },
): Promise<R[]> {
  if (!dbTx.queryRunner?.isTransactionActive) throw new Error('a statement of a dbTx was given without one')
  const client = (await dbTx.queryRunner.connect()) as pg.ClientBase
  return (await client.query<R>({ text, values, types: { getTypeParser } })).rows
}

const toBigInt = (text: string): bigint => BigInt(text)
const parseTextArray: (text: string) => (string | null)[] = pg.types.getTypeParser(TEXT_ARRAY as number, 'text')
const toBigInts = (text: string): (bigint | null)[] =>
  parseTextArray(text).map(item => (item === null ? null : BigInt(item)))

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (format !== 'binary' && oid === INT8) return toBigInt
  if (format !== 'binary' && oid === INT8_ARRAY) return toBigInts
  return pg.types.getTypeParser(oid, format as 'text')
}
