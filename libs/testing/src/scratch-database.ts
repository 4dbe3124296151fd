import { randomBytes } from 'node:crypto'
import { eventsLogMigrations, eventsLogUpkeep } from '@holdfast/events/migrations'
import { applyMigrations, type MigrationPlan } from '@holdfast/service-kit/database/migrations'
import pg from 'pg'

/** Roles belong to the whole server, so every test gives a role the same password. */
const PASSWORD = 'scratch'
/** A lock for test files that run at the same time: PostgreSQL refuses two changes of one role at once. */
const ROLES_LOCK = 7_240_399

/** A database of its own on the server of DATABASE_URL, with roles, schemas, tables and grants as in production. */
export class ScratchDatabase {
  readonly #name = `scratch_${randomBytes(6).toString('hex')}`
  readonly #server: string
  readonly #roles: readonly string[]
  /** A connection as the database's owner, who may read every schema. */
  readonly admin: pg.Pool

  private constructor(server: string, roles: readonly string[]) {
    this.#server = server
    this.#roles = roles
    this.admin = new pg.Pool({ connectionString: this.url(), max: 2 })
    // Dropping the database ends idle connections, which is expected.
    this.admin.on('error', () => undefined)
  }

  /** @param plans of the services under test; the plan of the event log is always added */
  static async make(...plans: readonly MigrationPlan[]): Promise<ScratchDatabase> {
    const server = process.env.DATABASE_URL
    if (!server) throw new Error('DATABASE_URL must name a PostgreSQL to test against')
    const roles = plans.flatMap(plan => plan.role ?? [])
    const database = new ScratchDatabase(server, roles)
    await database.#onServer(async client => {
      await client.query(`CREATE DATABASE ${database.#name}`)
      await client.query('SELECT pg_advisory_lock($1)', [ROLES_LOCK])
      await database.#migrate(plans)
    })
    return database
  }

  /** The database's URL, for its owner or for a service's role. */
  url(role?: string): string {
    const url = new URL(this.#server)
    url.pathname = `/${this.#name}`
    if (role) Object.assign(url, { username: role, password: PASSWORD })
    return url.href
  }

  async drop(): Promise<void> {
    await this.admin.end()
    await this.#onServer(client => client.query(`DROP DATABASE ${this.#name} WITH (FORCE)`))
  }

  #migrate(plans: readonly MigrationPlan[]): Promise<void> {
    const log: MigrationPlan = {
      service: 'events',
      schema: 'events',
      migrations: eventsLogMigrations,
      grants: eventsLogUpkeep(this.#roles, []),
    }
    const passwords = Object.fromEntries(this.#roles.map(role => [role, PASSWORD]))
    return applyMigrations({ adminUrl: this.url(), plans: [...plans, log], passwords })
  }

  async #onServer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
    const client = new pg.Client(this.#server)
    await client.connect()
    try {
      await work(client)
    } finally {
      await client.end()
    }
  }
}
