import { setTimeout as sleep } from 'node:timers/promises'
import { type EventEnvelope, transactionPaymentFailed } from '@holdfast/contracts/events'
import { TestDatabase } from '@holdfast/test-database/test-database'
import type pg from 'pg'
import { DataSource } from 'typeorm'
import { eventsLogMigrations, eventsLogUpkeep, eventTables } from '../src/migrations.js'
import { newEvent } from '../src/outbox/event.js'
import type { StoredEvent } from '../src/transport.js'

/** A new database with the event log and the tables of two services. It is dropped at the end. */
export class ScratchLog {
  private constructor(private readonly database: TestDatabase) {}

  static async make(): Promise<ScratchLog> {
    const log = new ScratchLog(await TestDatabase.create(async () => undefined))
    await log.admin.query('CREATE SCHEMA events; CREATE SCHEMA escrow; CREATE SCHEMA listing')
    for (const sql of [...eventTables('escrow'), ...eventTables('listing')]) await log.admin.query(sql)
    const migrator = await log.dataSource('events', eventsLogMigrations)
    await migrator.runMigrations({ transaction: 'each' })
    await migrator.destroy()
    for (const sql of eventsLogUpkeep([], [])) await log.admin.query(sql)
    return log
  }

  get url(): string {
    return this.database.url()
  }

  get admin(): pg.Pool {
    return this.database.admin
  }

  /** A TypeORM data source whose search_path leads to `schema`. */
  dataSource(schema: string, migrations: typeof eventsLogMigrations = [], url = this.url): Promise<DataSource> {
    const extra = { options: `-c search_path=${schema}` }
    return new DataSource({ type: 'postgres', url, schema, migrations, extra, poolSize: 4 }).initialize()
  }

  /** Ends every connection of this database whose application's name matches, as a failover would. */
  async terminate(like: string): Promise<number> {
    const sql = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name LIKE $2'
    return (await this.admin.query(sql, [this.database.name, like])).rowCount ?? 0
  }

  drop(): Promise<void> {
    return this.database.drop()
  }
}

const PARTIES = {
  buyerId: '01890000-0000-7000-8000-000000000001',
  sellerId: '01890000-0000-7000-8000-000000000002',
}

/** An event of a deal. Its title contains `nth`, so that a test can check the order. */
export function dealEvent(transactionId: number, nth: number) {
  const at = new Date()
  const deal = {
    transactionId,
    listingId: 1,
    ...PARTIES,
    title: String(nth),
    amount: '10.00',
    currency: 'USD' as const,
  }
  const payload = { ...deal, status: 'pending' as const, at: at.toISOString(), actor: 'provider' }
  return newEvent(transactionPaymentFailed, transactionId, payload, at)
}

/** The event as the relay hands it to a transport. */
export const stored = (event: EventEnvelope): StoredEvent => ({
  ...event,
  payload: JSON.stringify(event.payload),
  requestId: event.requestId ?? null,
  traceparent: event.traceparent ?? null,
})

/** Waits until the condition holds, by default for as long as members of a group of Kafka may take to find each other on a busy machine. */
export async function eventually(holds: () => boolean | Promise<boolean>, withinMs = 30_000): Promise<void> {
  const until = Date.now() + withinMs
  while (!(await holds())) {
    if (Date.now() > until) throw new Error(`not true within ${withinMs} ms: ${holds}`)
    await sleep(20)
  }
}
