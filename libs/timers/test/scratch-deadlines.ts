import { setTimeout as sleep } from 'node:timers/promises'
import { TestDatabase } from '@holdfast/test-database/test-database'
import type pg from 'pg'
import type { DeadlineSource } from '../src/deadline.js'
import { migrateQueueTables, timersGrants } from '../src/migrations.js'

const PASSWORD = 'scratch'

/** A database of its own with the queue's tables and one table of deadlines, used by a role that owns nothing. */
export class ScratchDeadlines {
  private constructor(
    private readonly database: TestDatabase,
    private readonly role: string,
  ) {}

  static async make(): Promise<ScratchDeadlines> {
    const roleOf = ({ name }: TestDatabase) => `timers_${name}`
    const database = await TestDatabase.create(
      async made => {
        await made.admin.query(`CREATE ROLE ${roleOf(made)} LOGIN PASSWORD '${PASSWORD}'`)
        await migrateQueueTables(made.url())
        for (const grant of timersGrants([roleOf(made)])) await made.admin.query(grant)
        await made.admin.query(
          'CREATE TABLE deadline (id text PRIMARY KEY, due_at timestamptz NOT NULL, fired_at timestamptz, fires int NOT NULL DEFAULT 0)',
        )
      },
      { maxConnections: 8 },
    )
    return new ScratchDeadlines(database, roleOf(database))
  }

  get admin(): pg.Pool {
    return this.database.admin
  }

  get adminUrl(): string {
    return this.database.url()
  }

  get roleUrl(): string {
    return this.database.url({ role: this.role, password: PASSWORD })
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

  /** The row, once it has fired. Throws after `ms`. */
  async firedWithin(ms: number, id: string): Promise<{ fires: number; lateMs: number | null }> {
    const until = Date.now() + ms
    for (;;) {
      const row = await this.row(id)
      if (row.fires > 0) return row
      if (Date.now() > until) throw new Error(`${id} did not fire within ${ms} ms`)
      await sleep(20)
    }
  }

  drop(): Promise<void> {
    return this.database.drop(this.role)
  }
}

const UPCOMING = `SELECT id, due_at AS "dueAt" FROM deadline
  WHERE fired_at IS NULL AND due_at <= now() + $1 * interval '1 millisecond' ORDER BY due_at LIMIT $2`

/** Counts every firing. The sources of the services do nothing for a row that has fired, which would hide a second one. */
const FIRE = `UPDATE deadline SET fired_at = coalesce(fired_at, clock_timestamp()), fires = fires + 1
  WHERE id = $1 AND due_at <= clock_timestamp()`
