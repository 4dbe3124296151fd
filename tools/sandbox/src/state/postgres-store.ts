import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Change, Store } from './store.js'

/** While the database restarts, commands wait for it so long. */
const PATIENCE_MS = 60_000
const RETRY_MS = 200
const CONNECT_TIMEOUT_MS = 5_000

const CLAIM = `INSERT INTO sandbox.writer (token) VALUES ($1) ON CONFLICT (id) DO UPDATE SET token = excluded.token`
const RENEW = 'UPDATE sandbox.writer SET token = $1 WHERE token = ANY ($2)'
const LOAD = 'SELECT collection, id, value FROM sandbox.record ORDER BY n'
// The share lock makes a process that claims the state wait for this statement, and a claim that came first makes it do
// nothing.
const WRITE = `WITH me AS (SELECT 1 FROM sandbox.writer WHERE token = $1 FOR SHARE),
  change AS (
    SELECT c.* FROM unnest($2::text[], $3::text[], $4::json[]) WITH ORDINALITY AS c (collection, id, value, n), me
  ),
  deleted AS (
    DELETE FROM sandbox.record r USING change c WHERE c.value IS NULL AND r.collection = c.collection AND r.id = c.id
  ),
  written AS (
    INSERT INTO sandbox.record (collection, id, value)
    SELECT collection, id, value FROM change WHERE value IS NOT NULL ORDER BY n
    ON CONFLICT (collection, id) DO UPDATE SET value = excluded.value
  )
  SELECT 1 FROM me`

interface Append {
  readonly changes: readonly Change[]
  readonly done: () => void
  readonly failed: (error: Error) => void
}

/**
 * Keeps the sandbox's records in the schema `sandbox`. Only the process that opened it last may write. What is appended
 * while a statement is out shares the next one.
 *
 * A connection that is lost leaves open whether its statement took effect. It may be repeated all the same: it writes
 * whole records, and this process is the only one that writes. Before the repeat the token changes, so that a first
 * attempt that still runs somewhere cannot take effect later.
 */
export class PostgresStore implements Store {
  private readonly waiting: Append[] = []
  private writing: Promise<void> | null = null
  private broken: Error | null = null
  /** Our token; several while it is open which of them the database has. */
  private tokens = [randomUUID()]

  private constructor(private readonly pool: pg.Pool) {}

  /** Takes the state over from whichever process had it. Waits a minute at most for a database that does not answer. */
  static async open(databaseUrl: string): Promise<PostgresStore> {
    const pool = new pg.Pool({
      connectionString: databaseUrl,
      max: 1,
      application_name: 'sandbox',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    })
    // An idle connection that is lost is replaced by the next query.
    pool.on('error', () => undefined)
    const store = new PostgresStore(pool)
    await whenAnswered(() => pool.query(CLAIM, store.tokens))
    return store
  }

  async load(): Promise<Change[]> {
    const { rows } = await whenAnswered(() => this.pool.query<{ collection: string; id: string; value: unknown }>(LOAD))
    return rows.map(({ collection, id, value }): Change => [collection, JSON.parse(id), value])
  }

  append(changes: readonly Change[]): Promise<void> {
    if (this.broken) return Promise.reject(this.broken)
    return new Promise((done, failed) => {
      this.waiting.push({ changes, done, failed })
      this.writing ??= this.writeWaiting()
    })
  }

  async settled(): Promise<void> {
    await this.writing
  }

  async close(): Promise<void> {
    await this.writing
    await this.pool.end()
  }

  private async writeWaiting(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0)
      try {
        await this.write(latestOf(batch.flatMap(each => each.changes)))
        for (const each of batch) each.done()
      } catch (error) {
        this.broken = error instanceof Error ? error : new Error(String(error))
        for (const each of [...batch, ...this.waiting.splice(0)]) each.failed(this.broken)
      }
    }
    // Without an await since the queue was seen empty: an append in between would wait for ever.
    this.writing = null
  }

  private async write(changes: readonly Change[]): Promise<void> {
    const columns = [
      changes.map(([collection]) => collection),
      // As JSON, since some ids come from callers and PostgreSQL's text takes no NUL.
      changes.map(([, id]) => JSON.stringify(id)),
      changes.map(([, , value]) => (value === null ? null : JSON.stringify(value))),
    ]
    let first = true
    await whenAnswered(async () => {
      if (!first) await this.renewToken()
      first = false
      const { rowCount } = await this.pool.query(WRITE, [this.tokens[0], ...columns])
      if (rowCount === 0) throw new TakenOver()
    })
  }

  private async renewToken(): Promise<void> {
    const token = randomUUID()
    this.tokens.unshift(token)
    const { rowCount } = await this.pool.query(RENEW, [token, this.tokens])
    if (rowCount === 0) throw new TakenOver()
    this.tokens = [token]
  }
}

class TakenOver extends Error {
  constructor() {
    super('another sandbox has taken the state over')
  }
}

/** The last change of each record: one statement cannot write a row twice. */
function latestOf(changes: readonly Change[]): Change[] {
  return [...new Map(changes.map(change => [JSON.stringify(change.slice(0, 2)), change])).values()]
}

/** Repeats what the database did not answer. What it refused is thrown on at once. */
async function whenAnswered<T>(ask: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      const isRefused = error instanceof TakenOver || (error as { severity?: unknown }).severity === 'ERROR'
      if (isRefused || performance.now() >= giveUpAt) throw error
    }
    await sleep(RETRY_MS)
  }
}
