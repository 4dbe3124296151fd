import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'

/** Test files take this lock, because PostgreSQL refuses two changes of one role at once ("tuple concurrently updated"). */
const ROLES_LOCK = 7_240_399

/** A role of the server and its password. */
export interface Login {
  readonly role: string
  readonly password: string
}

/** A database of its own on the server of DATABASE_URL. It depends on no other package, so that every package can use it. */
export class TestDatabase {
  /** Connections as the server's superuser. */
  readonly admin: pg.Pool
  readonly #server: string

  private constructor(
    server: string,
    maxConnections: number,
    readonly name = `test_${randomBytes(6).toString('hex')}`,
  ) {
    this.#server = server
    this.admin = new pg.Pool({ connectionString: this.url(), max: maxConnections })
    // Dropping the database ends idle connections, which is expected.
    this.admin.on('error', () => undefined)
  }

  /**
   * Makes the database.
   *
   * @param prepare makes its roles, schemas and tables. It runs alone: no other test file changes roles meanwhile.
   * @param maxConnections of the `admin` pool
   * @throws Error when DATABASE_URL is not set
   */
  static async create(
    prepare: (database: TestDatabase) => Promise<unknown>,
    { maxConnections = 4 } = {},
  ): Promise<TestDatabase> {
    const database = new TestDatabase(serverUrl(), maxConnections)
    await database.#aloneOnServer(async client => {
      await client.query(`CREATE DATABASE ${database.name}`)
      await prepare(database)
    })
    return database
  }

  /**
   * Makes the database as a copy of another one, which the first test file with these contents makes. The copy takes 0.2
   * seconds where the migrations of escrow-svc take 0.8. The other database stays on the server, for the next test files.
   *
   * @param contents describes all that `prepare` does. Another text means another database to copy.
   * @param prepare makes the roles, schemas and tables in the database with this URL, and leaves no connection open
   * @param maxConnections of the `admin` pool
   * @throws Error when DATABASE_URL is not set
   */
  static async copy(
    contents: string,
    prepare: (url: string) => Promise<unknown>,
    { maxConnections = 4 } = {},
  ): Promise<TestDatabase> {
    const database = new TestDatabase(serverUrl(), maxConnections)
    const original = `test_original_${createHash('sha256').update(contents).digest('hex').slice(0, 32)}`
    await database.#aloneOnServer(client => database.#makeOriginal(client, original, prepare))
    await database.#onServer(client => client.query(`CREATE DATABASE ${database.name} TEMPLATE ${original}`))
    return database
  }

  /** It gets its name when it is complete, so that a test file that is killed leaves no half of one. */
  async #makeOriginal(client: pg.Client, name: string, prepare: (url: string) => Promise<unknown>): Promise<void> {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (rowCount) return
    await client.query(`CREATE DATABASE ${this.name}`)
    await prepare(this.url())
    await client.query(`ALTER DATABASE ${this.name} RENAME TO ${name}`)
  }

  /** The database's URL, for the superuser or for another login. */
  url(login?: Login): string {
    const url = new URL(this.#server)
    url.pathname = `/${this.name}`
    if (login) Object.assign(url, { username: login.role, password: encodeURIComponent(login.password) })
    return url.href
  }

  /** Removes the database, and the roles that only this test file uses. Their connections are ended. */
  async drop(...roles: readonly string[]): Promise<void> {
    await this.admin.end()
    await this.#onServer(client => client.query(`DROP DATABASE ${this.name} WITH (FORCE)`))
    if (roles.length === 0) return
    await this.#aloneOnServer(async client => {
      for (const role of roles) await client.query(`DROP ROLE IF EXISTS ${pg.escapeIdentifier(role)}`)
    })
  }

  /** The lock is held until the connection ends. */
  #aloneOnServer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
    return this.#onServer(async client => {
      await client.query('SELECT pg_advisory_lock($1)', [ROLES_LOCK])
      await work(client)
    })
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

function serverUrl(): string {
  const server = process.env.DATABASE_URL
  if (!server) throw new Error('DATABASE_URL must name a PostgreSQL whose superuser may create databases')
  return server
}
