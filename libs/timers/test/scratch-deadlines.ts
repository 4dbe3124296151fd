import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { DeadlineSource } from '../src/deadline.js'
import { migrateQueueTables, timersGrants } from '../src/migrations.js'

/** A database of its own with the queue's tables and one table of deadlines, used by a role that owns nothing. */
export class ScratchDeadlines {
  readonly adminUrl: string
  readonly roleUrl: string
  readonly admin: pg.Pool
  private readonly name = `timers_${randomBytes(6).toString('hex')}`

  private constructor(private readonly serverUrl: string) {
    const url = new URL(serverUrl)
    url.pathname = `/${this.name}`
    this.adminUrl = url.href
    url.username = this.name
    url.password = 'scratch'
    this.roleUrl = url.href
    this.admin = new pg.Pool({ connectionString: this.adminUrl, max: 8 })
    this.admin.on('error', () => undefined)
  }

  static async make(): Promise<ScratchDeadlines> {
    const serverUrl = process.env.DATABASE_URL
    if (!serverUrl) throw new Error('DATABASE_URL must name a PostgreSQL to test against')
    const scratch = new ScratchDeadlines(serverUrl)
    await scratch.onServer(`CREATE DATABASE ${scratch.name}`)
    await scratch.onServer(`CREATE ROLE ${scratch.name} LOGIN PASSWORD 'scratch'`)
    await migrateQueueTables(scratch.adminUrl)
    for (const grant of timersGrants([scratch.name])) await scratch.admin.query(grant)
    await scratch.admin.query(
      'CREATE TABLE deadline (id text PRIMARY KEY, due_at timestamptz NOT NULL, fired_at timestamptz, fires int NOT NULL DEFAULT 0)',
    )
    return scratch
  }

  /** The rows as a source; `beforeFire` may fail. */
  source(beforeFire: (id: string) => void = () => undefined): DeadlineSource {
    return {
      name: 'deadline',
      upcoming: async (aheadMs, limit) =>
        (await this.admin.query<{ id: string; dueAt: Date }>(UPCOMING, [aheadMs, limit])).rows,
      fire: async id => {
        beforeFire(id)
        await this.admin.query(FIRE, [id])
      },
    }
  }

  async set(id: string, inMs: number): Promise<Date> {
    const dueAt = new Date(Date.now() + inMs)
    await this.admin.query(
      'INSERT INTO deadline (id, due_at) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET due_at = $2',
      [id, dueAt],
    )
    return dueAt
  }

  async row(id: string): Promise<{ fires: number; lateMs: number | null }> {
    const sql = `SELECT fires, (extract(epoch FROM fired_at - due_at) * 1000)::float AS "lateMs" FROM deadline WHERE id = $1`
    return (await this.admin.query<{ fires: number; lateMs: number | null }>(sql, [id])).rows[0]!
  }

  async drop(): Promise<void> {
    await this.admin.end()
    await this.onServer(`DROP DATABASE ${this.name} WITH (FORCE)`)
    await this.onServer(`DROP ROLE ${this.name}`)
  }

  private async onServer(sql: string): Promise<void> {
    const client = new pg.Client(this.serverUrl)
    await client.connect()
    await client.query(sql)
    await client.end()
  }
}

const UPCOMING = `SELECT id, due_at AS "dueAt" FROM deadline
  WHERE fired_at IS NULL AND due_at <= now() + $1 * interval '1 millisecond' ORDER BY due_at LIMIT $2`

const FIRE = `UPDATE deadline SET fired_at = clock_timestamp(), fires = fires + 1
  WHERE id = $1 AND fired_at IS NULL AND due_at <= clock_timestamp()`
