import type { ServiceName } from '@holdfast/contracts/topology'
import { type DynamicModule, Injectable, Module, type OnApplicationBootstrap } from '@nestjs/common'
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm'
import pg from 'pg'
import { DataSource, type MigrationInterface } from 'typeorm'
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js'
import { Clock } from '../lifecycle/clock.js'
import { CONFIG, type DatabaseConfig, isPooled } from '../lifecycle/config.js'
import { Health } from '../lifecycle/health.js'
import { loggerOf } from '../telemetry/logging.js'
import { ClockWatch } from './clock-watch.js'
import { POOL_SIZE, requireConnections, sharesOfAll } from './connection-limits.js'
import { connectionSettings } from './connection-settings.js'
import { databaseTime } from './database-time.js'
import { untilDatabaseAnswers } from './database-wait.js'
import { GuardedClient, reportLostConnection } from './guarded-client.js'
import { watchPool } from './pool.js'
import { TypeOrmLog } from './typeorm-log.js'
import { unencryptedUrls } from './unencrypted-urls.js'

const UNENCRYPTED = 'connections to the database are not encrypted: add sslmode=verify-full to these variables'

/** The table in which TypeORM records the migrations of a schema. */
export const MIGRATIONS_TABLE = 'migrations'

type MigrationClass = new () => MigrationInterface

export interface DatabaseOptions {
  readonly service: ServiceName
  /** The service's schema, in which unqualified names are found. */
  readonly schema: string
  readonly entities: readonly (new () => object)[]
  /** The migrations that this code knows. The service is ready only when the newest of them is applied. */
  readonly migrations: readonly MigrationClass[]
  /** The most connections that one replica of the service opens: these, and those of its other pools. */
  readonly connections: number
}

/**
 * TypeORM for a service, on the DATABASE_URL of its configuration, which may lead to a pooler. It adds readiness checks of the
 * database and of the clock. The boot compares the connections of all services with the database's limits
 * (`requireConnections`). Inject `DataSource`, or repositories by `TypeOrmModule.forFeature`.
 */
export function databaseModule(options: DatabaseOptions): DynamicModule {
  return {
    module: DatabaseModule,
    imports: [
      TypeOrmModule.forRootAsync({
        inject: [CONFIG],
        useFactory: (config: DatabaseConfig) => {
          const variables = unencryptedUrls(config)
          if (variables.length > 0) loggerOf('database').warn({ variables }, UNENCRYPTED)
          return dataSourceOptions(config, options)
        },
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
            sharesOfAll(options.service, options.connections, config),
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

function dataSourceOptions(config: DatabaseConfig, { schema, entities }: DatabaseOptions) {
  // A pooler refuses settings with the connection. Then those of the role apply, which migrations make.
  const { options, ...settings } = connectionSettings(schema)
  return {
    type: 'postgres' as const,
    url: config.DATABASE_URL,
    schema,
    entities: [...entities],
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
