import { eventsLogMigrations, eventsLogUpkeep } from '@holdfast/events/migrations'
import { applyMigrations, type MigrationPlan } from '@holdfast/service-kit/database/migrations'
import { TestDatabase } from '@holdfast/test-database/test-database'
import type pg from 'pg'
import { EmbeddedLog } from './embedded-log.js'
import { ENGINES, newRedisUrl } from './engines.js'
import type { EventLog } from './event-log.js'

/** Roles belong to the whole server, so every test gives a role the same password. */
const PASSWORD = 'scratch'

/** A database of its own with roles, schemas, tables and grants as in production. */
export class ScratchDatabase {
  private readonly redis = ENGINES ? { REDIS_URL: newRedisUrl(ENGINES) } : {}

  private constructor(
    private readonly database: TestDatabase,
    /** The log that carries its services' events. */
    readonly log: EventLog,
  ) {}

  /** @param plans of the services under test; the plan of the event log is always added */
  static async make(...plans: readonly MigrationPlan[]): Promise<ScratchDatabase> {
    const roles = plans.flatMap(plan => plan.role ?? [])
    const log: MigrationPlan = {
      service: 'events',
      schema: 'events',
      migrations: eventsLogMigrations,
      grants: eventsLogUpkeep(roles, []),
    }
    const passwords = Object.fromEntries(roles.map(role => [role, PASSWORD]))
    const database = await TestDatabase.copy(
      contentsOf([...plans, log]),
      adminUrl => applyMigrations({ adminUrl, plans: [...plans, log], passwords }),
      { maxConnections: 2 },
    )
    for (const { schema } of plans) await asMigratedNow(database.admin, schema)
    return new ScratchDatabase(database, await logOf(database))
  }

  /** A connection as the database's owner, who may read every schema. */
  get admin(): pg.Pool {
    return this.database.admin
  }

  /** The database's URL, for its owner or for a service's role. */
  url(role?: string): string {
    return this.database.url(role === undefined ? undefined : { role, password: PASSWORD })
  }

  /** The variables with which a service finds the log and, on the distributed profile, the Redis of its timers. */
  get environment(): NodeJS.ProcessEnv {
    return { ...this.log.environment, ...this.redis }
  }

  async drop(): Promise<void> {
    await this.log.close()
    await this.database.drop()
  }
}

/** Kafka's client is loaded only where it is used. */
async function logOf(database: TestDatabase): Promise<EventLog> {
  if (!ENGINES) return new EmbeddedLog(database)
  const { KafkaLog } = await import('./kafka-log.js')
  return KafkaLog.open(ENGINES, database)
}

/** A text that changes with every migration, grant and role, since a class and a function as text are their source. */
const contentsOf = (plans: readonly MigrationPlan[]): string =>
  JSON.stringify(plans, (_, value) => (typeof value === 'function' ? String(value) : value))

/** The row of heartbeats says when the database was migrated. In a copy, the time since then would count as an outage. */
async function asMigratedNow(admin: pg.Pool, schema: string): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass($1) AND atttypid = 'timestamptz'::regtype`,
    [`${schema}.heartbeat`],
  )
  // An older release has fewer of these columns.
  const moved = ['beat_at', 'made_at', 'clocks_end_until'].filter(column => rows.some(({ name }) => name === column))
  if (moved.length === 0) return
  const assignments = moved.map(column => `${column} = ${column} + (t.now - beat_at)`)
  await admin.query(
    `UPDATE ${schema}.heartbeat SET ${assignments.join(', ')}
     FROM (SELECT date_trunc('milliseconds', clock_timestamp()) AS now) t`,
  )
}
