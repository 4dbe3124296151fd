import pg from 'pg'
import { DataSource, type MigrationInterface } from 'typeorm'
import { loggerOf } from '../telemetry/logging.js'
import { MIGRATIONS_TABLE, nameOfMigration } from './database.module.js'
import { giveSettings, type Passwords, prepareRoles } from './roles.js'
import { TypeOrmLog } from './typeorm-log.js'

/** The migrations, role and grants of one schema. Each service exports its plan from `migrations/plan.ts`. */
export interface MigrationPlan {
  /** The name that messages use, such as `escrow-svc`. */
  readonly service: string
  /** The role that may use the schema; left out where `grants` name the roles. */
  readonly role?: string
  readonly schema: string
  /** TypeORM migrations, recorded in `<schema>.migrations`. Unqualified names are found in the schema. */
  readonly migrations: readonly (new () => MigrationInterface)[]
  /** Tables of which the role may only read and add rows. */
  readonly appendOnly?: readonly string[]
  /** Statements that run after the default grants, in their dbTx: grants for other roles, or restrictions. */
  readonly grants?: readonly string[]
  /** Work of a library that migrates its own tables in this schema; it must be safe to repeat. */
  readonly prepare?: (adminUrl: string) => Promise<void>
}

export interface MigrateOptions {
  /** The owner of the database. */
  readonly adminUrl: string
  readonly plans: readonly MigrationPlan[]
  /** Roles that are in no plan are created as well. */
  readonly passwords: Passwords
}

/** The database was made by a version with other migrations. This code can neither read nor change it safely. */
export class ForeignMigrations extends Error {
  override readonly name = 'ForeignMigrations'
}

/** The advisory lock that keeps two runs from happening at the same time. The number has no meaning. */
const MIGRATION_LOCK = 7_240_301
/** A run fails when it waits longer than this for another run or for a lock. */
const MIGRATION_LOCK_TIMEOUT_MS = 60_000

/**
 * Updates a database to this release: roles, schemas, migrations, grants. It may be repeated, and run twice at the same
 * time. The admin owns every table. A role may use its own schema and read no other.
 *
 * @throws ForeignMigrations, before it changes anything, when a schema has a migration that its plan does not list
 */
export async function applyMigrations({ adminUrl, plans, passwords }: MigrateOptions): Promise<void> {
  const log = loggerOf('migrations')
  for (const { role, service } of plans) {
    if (role && !passwords[role]) throw new Error(`${service} needs a password for the role ${role}`)
  }
  const admin = new pg.Client({ connectionString: adminUrl, application_name: 'migrate' })
  await admin.connect()
  try {
    await admin.query(`set lock_timeout = ${MIGRATION_LOCK_TIMEOUT_MS}`)
    await admin.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    for (const plan of plans) await refuseForeign(admin, plan)
    await prepareRoles(admin, passwords)
    for (const { role, schema } of plans) if (role) await giveSettings(admin, role, schema, passwords)
    for (const plan of plans) {
      await admin.query(`create schema if not exists ${name(plan.schema)}`)
      await plan.prepare?.(adminUrl)
      const applied = await runMigrations(adminUrl, plan)
      log.info({ service: plan.service, schema: plan.schema, applied }, 'migrated')
    }
    // Grants come last, because they may name tables of another plan.
    for (const plan of plans) await grant(admin, plan)
  } finally {
    await admin.end()
  }
}

const name = pg.escapeIdentifier

async function refuseForeign(admin: pg.Client, { service, schema, migrations }: MigrationPlan): Promise<void> {
  const table = `${name(schema)}.${MIGRATIONS_TABLE}`
  const { rows: tables } = await admin.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [
    table,
  ])
  if (!tables[0]!.exists) return
  const { rows } = await admin.query<{ name: string }>(
    `select name from ${table} where name <> all($1::text[]) order by id limit 1`,
    [migrations.map(nameOfMigration)],
  )
  const [foreign] = rows
  if (!foreign) return
  throw new ForeignMigrations(
    `The data of ${service} was made by another version (this one does not know its migration ${foreign.name}): ` +
      'start that version again, or begin with no data by `npm start -- --fresh`.',
  )
}

/** Returns the names of the applied migrations. Each migration has its own dbTx. */
async function runMigrations(adminUrl: string, plan: MigrationPlan): Promise<readonly string[]> {
  const source = new DataSource({
    type: 'postgres',
    url: adminUrl,
    schema: plan.schema,
    migrations: [...plan.migrations],
    migrationsTableName: MIGRATIONS_TABLE,
    migrationsTransactionMode: 'each',
    logger: new TypeOrmLog(),
    applicationName: `migrate ${plan.service}`,
    extra: { max: 1, options: `-c search_path=${plan.schema} -c lock_timeout=${MIGRATION_LOCK_TIMEOUT_MS}` },
  })
  await source.initialize()
  try {
    return (await source.runMigrations()).map(migration => migration.name)
  } finally {
    await source.destroy()
  }
}

/** Grants the rights in one dbTx, so that a running service never has too few or too many. An error ends the session, and so the dbTx. */
async function grant(admin: pg.Client, plan: MigrationPlan): Promise<void> {
  await admin.query('begin')
  await admin.query(`set local search_path = ${name(plan.schema)}`)
  if (plan.role) await grantDefaults(admin, plan.schema, plan.role, plan.appendOnly ?? [])
  for (const statement of plan.grants ?? []) await admin.query(statement)
  await admin.query('commit')
}

async function grantDefaults(
  admin: pg.Client,
  schema: string,
  role: string,
  appendOnly: readonly string[],
): Promise<void> {
  const [inSchema, toRole] = [`in schema ${name(schema)}`, name(role)]
  await admin.query(`revoke all on schema ${name(schema)} from ${toRole}`)
  await admin.query(`grant usage on schema ${name(schema)} to ${toRole}`)
  await admin.query(`revoke all on all tables ${inSchema} from ${toRole}`)
  await admin.query(`grant select, insert, update, delete on all tables ${inSchema} to ${toRole}`)
  await admin.query(`grant usage, select on all sequences ${inSchema} to ${toRole}`)
  const tables = [MIGRATIONS_TABLE, ...appendOnly].map(table => `${name(schema)}.${name(table)}`)
  await admin.query(`revoke insert, update, delete on ${tables[0]} from ${toRole}`)
  for (const table of tables.slice(1)) await admin.query(`revoke update, delete on ${table} from ${toRole}`)
}
