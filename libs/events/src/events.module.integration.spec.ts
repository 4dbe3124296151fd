import { setTimeout as sleep } from 'node:timers/promises'
import {
  type EventDefinition,
  type EventEnvelope,
  type PayloadOf,
  transactionCompleted,
  transactionDelivered,
  transactionPaymentFailed,
  transactionShipped,
} from '@holdfast/contracts/events'
import type { ServiceName } from '@holdfast/contracts/route'
import { databaseModule } from '@holdfast/service-kit/database/database.module'
import { applyMigrations, type MigrationPlan } from '@holdfast/service-kit/database/migrations'
import { baseShape, databaseShape, loadConfig } from '@holdfast/service-kit/lifecycle/config'
import { type RunningService, startService } from '@holdfast/service-kit/lifecycle/service'
import { currentRequestId, requestContext } from '@holdfast/service-kit/telemetry/logging'
import { registry } from '@holdfast/service-kit/telemetry/metrics'
import { TestDatabase } from '@holdfast/test-database/test-database'
import { Controller, Module } from '@nestjs/common'
import pg from 'pg'
import { DataSource } from 'typeorm'
import { tablesOf } from '../test/effect-tables.js'
import { dealEvent, eventually } from '../test/scratch-log.js'
import { EventsServer } from './consumer/events-server.js'
import {
  type BatchContext,
  type EventContext,
  type HandledEvent,
  type OnceContext,
  OnEvent,
} from './consumer/on-event.js'
import { listDeadLetters } from './embedded/dead-letters.js'
import { eventsModule } from './events.module.js'
import { INBOX_DAYS } from './inbox/inbox.js'
import { InboxCleanup } from './inbox/inbox-cleanup.js'
import { EVENT_READERS, EVENT_ROLES, eventsPlan } from './migrations.js'
import { appendToOutbox, outboxStatement } from './outbox/outbox.js'
import { OutboxRelay, RELAY_POLL_MS } from './outbox/relay.js'
import { PoisonEventError } from './transport.js'

const planOf = (service: ServiceName, schema: string): MigrationPlan => ({
  service,
  role: `${schema}_svc`,
  schema,
  migrations: [tablesOf(schema)],
})

const batches: string[][] = []
const attempts: number[] = []
let handle: (payload: { title: string }, context: EventContext) => Promise<void>

@Controller()
class DealsConsumer {
  @OnEvent(transactionPaymentFailed, { consumer: 'effect' })
  async failed(payload: PayloadOf<typeof transactionPaymentFailed>, context: OnceContext): Promise<void> {
    await context.manager.query('INSERT INTO effect VALUES ($1, $2)', [context.event.id, currentRequestId()])
    await handle(payload, context)
  }

  @OnEvent([transactionCompleted, transactionDelivered], { consumer: 'batch', batch: true })
  async ended(
    events: readonly HandledEvent<typeof transactionCompleted | typeof transactionDelivered>[],
    { manager }: BatchContext,
  ): Promise<void> {
    batches.push(events.map(event => event.payload.title))
    const ids = events.map(event => event.id)
    await manager.query("INSERT INTO effect SELECT unnest($1::uuid[]), 'batch'", [ids])
    if (events.some(event => event.payload.title === 'unbearable')) throw new Error('no')
  }

  @OnEvent(transactionShipped, { idempotent: 'it only counts the calls of this test' })
  async shipped(_payload: PayloadOf<typeof transactionShipped>, { attempt }: EventContext): Promise<void> {
    attempts.push(attempt)
  }
}

/** Roles belong to the whole server, so every test gives a role the same password. */
const PASSWORD = 'scratch'

describe('the events module', () => {
  let database: TestDatabase
  let admin: pg.Pool
  let escrow: RunningService
  let listing: RunningService

  const urlOf = (role: string): string => database.url({ role, password: PASSWORD })

  async function boot(service: ServiceName, schema: string, controllers: (new (...all: never[]) => object)[]) {
    const database = { service, schema, entities: [], migrations: [tablesOf(schema)], connections: 8 }
    @Module({ imports: [databaseModule(database), eventsModule({ service, schema })], controllers })
    class AppModule {}
    const DATABASE_URL = urlOf(`${schema}_svc`)
    const env = { NODE_ENV: 'test', PORT: '0', OPS_PORT: '0', ACTOR_KEYS: '{}', DATABASE_URL }
    const config = loadConfig({ ...baseShape, ...databaseShape }, env)
    return startService({ name: service, module: AppModule, config, strategies: app => [app.get(EventsServer)] })
  }

  beforeAll(async () => {
    const plans = [planOf('escrow-svc', 'escrow'), planOf('listing-svc', 'listing'), eventsPlan]
    const passwords = Object.fromEntries([...EVENT_ROLES, ...EVENT_READERS].map(role => [role, PASSWORD]))
    database = await TestDatabase.create(async made => {
      await applyMigrations({ adminUrl: made.url(), plans, passwords })
      // Twice, because every start of the product repeats it.
      await applyMigrations({ adminUrl: made.url(), plans, passwords })
    })
    admin = database.admin
    escrow = await boot('escrow-svc', 'escrow', [])
    listing = await boot('listing-svc', 'listing', [DealsConsumer])
  })
  beforeEach(() => {
    handle = async () => undefined
  })
  afterAll(async () => {
    await database.drop()
  })

  const effectsOf = async (id: string) =>
    (await admin.query<{ request_id: string }>('SELECT request_id FROM listing.effect WHERE event_id = $1', [id])).rows

  /** Delivers an event to the listing service, as its transport does. */
  const deliver = (event: EventEnvelope, attempt = 1) => listing.app.get(EventsServer).handle({ event, attempt })
  const as = ({ type, topic }: EventDefinition, event: EventEnvelope, more: object = {}): EventEnvelope => ({
    ...event,
    type,
    topic,
    payload: Object.assign({}, event.payload, more),
  })
  const inboxOf = async (id: string) =>
    (await admin.query<{ consumer: string }>('SELECT consumer FROM listing.inbox WHERE event_id = $1', [id])).rows

  it('delivers an event after a TypeORM commit to another service at once, with its request id', async () => {
    const dataSource = escrow.app.get(DataSource)
    const times: number[] = []
    // Without notifications each of these would wait for the polls of the relay and of the reader: the first one for some of
    // their pause, each later one for all of it. One of four may be slow because the machine is busy.
    for (const position of [0, 1, 2, 3]) {
      const event = await requestContext.run({ requestId: 'the-request' }, async () => dealEvent(1, position))
      await dataSource.transaction(async manager => {
        await appendToOutbox(manager, event)
      })
      const committed = Date.now()
      await eventually(async () => (await effectsOf(event.id)).length === 1)
      times.push(Date.now() - committed)
      expect(await effectsOf(event.id)).toEqual([{ request_id: 'the-request' }])
    }
    expect(Math.min(...times.slice(1))).toBeLessThan(RELAY_POLL_MS - 100)
  })

  it('delivers no event of a dbTx or savepoint that was rolled back', async () => {
    const dataSource = escrow.app.get(DataSource)
    const [lost, alsoLost, kept] = [dealEvent(2, 0), dealEvent(2, 1), dealEvent(2, 2)]
    const rolledBack = dataSource.transaction(async manager => {
      await appendToOutbox(manager, lost)
      throw new Error('no')
    })
    await expect(rolledBack).rejects.toThrow('no')
    await dataSource.transaction(async manager => {
      const inner = manager.transaction(async savepoint => {
        await appendToOutbox(savepoint, alsoLost)
        throw new Error('no')
      })
      await expect(inner).rejects.toThrow('no')
      await appendToOutbox(manager, kept)
    })
    await eventually(async () => (await effectsOf(kept.id)).length === 1)
    expect(await effectsOf(lost.id)).toEqual([])
    expect(await effectsOf(alsoLost.id)).toEqual([])
  })

  it('delivers events that were written by plain SQL, after `wake`', async () => {
    const event = dealEvent(3, 0)
    const statement = outboxStatement('escrow.outbox')
    await escrow.app.get(DataSource).query(statement.text, statement.values([[event]]))
    escrow.app.get(OutboxRelay).wake()
    await eventually(async () => (await effectsOf(event.id)).length === 1)
  })

  it('calls the handler with the parsed payload and the context, and again after a failure, with one effect', async () => {
    const calls: [string, number][] = []
    handle = async ({ title }, { attempt }) => {
      calls.push([title, attempt])
      if (attempt === 1) throw new Error('not yet')
    }
    const event = { ...dealEvent(4, 7) }
    Object.assign(event.payload, { notDeclared: 'x' })
    await escrow.app.get(DataSource).transaction(manager => appendToOutbox(manager, event))
    // The second call returns before its transaction commits, so the effect is waited for, not the call.
    await eventually(async () => (await effectsOf(event.id)).length > 0)
    expect(await effectsOf(event.id)).toHaveLength(1)
    expect(calls).toEqual([
      ['7', 1],
      ['7', 2],
    ])
  })

  it('makes an event with an invalid payload a dead letter that names the fault, and goes on', async () => {
    const bad = { ...dealEvent(5, 0), payload: { transactionId: 'five' } }
    const good = dealEvent(5, 1)
    await escrow.app.get(DataSource).transaction(manager => appendToOutbox(manager, bad, good))
    await eventually(async () => (await effectsOf(good.id)).length === 1)
    const letter = (await listDeadLetters(admin)).find(({ eventId }) => eventId === bad.id)
    expect(letter).toMatchObject({ group: 'listing-svc', attempts: 1, payload: { transactionId: 'five' } })
    expect(letter!.error).toContain('escrow.transaction.payment_failed.v1')
    expect(await effectsOf(bad.id)).toEqual([])
  })

  it('handles an event once, although it is delivered several times, also at the same moment', async () => {
    const event = dealEvent(8, 0)
    await Promise.all([deliver(event), deliver(event), deliver(event)])
    await deliver(event, 2)
    expect(await effectsOf(event.id)).toHaveLength(1)
    expect(await inboxOf(event.id)).toEqual([{ consumer: 'effect' }])
  })

  it('keeps neither the inbox row nor the effect of a handler that failed', async () => {
    const event = dealEvent(9, 0)
    handle = async () => {
      throw new Error('not yet')
    }
    await expect(deliver(event)).rejects.toThrow('not yet')
    expect([await effectsOf(event.id), await inboxOf(event.id)]).toEqual([[], []])
    handle = async () => undefined
    await deliver(event, 2)
    expect([await effectsOf(event.id), await inboxOf(event.id)]).toEqual([
      [{ request_id: event.id }],
      [expect.anything()],
    ])
  })

  it('calls a batch handler in one dbTx with events that arrived together, without those handled before', async () => {
    const completed = as(transactionCompleted, dealEvent(10, 1), { sellerNet: '9.00', isMutual: true })
    const delivered = as(transactionDelivered, dealEvent(11, 2))
    await deliver(completed)
    batches.length = 0
    await Promise.all([completed, delivered, delivered].map(event => deliver(event)))
    expect(batches).toEqual([['2']])
    expect(await inboxOf(delivered.id)).toEqual([{ consumer: 'batch' }])
    for (const { id } of [completed, delivered]) expect(await effectsOf(id)).toHaveLength(1)
  })

  it('repeats the events of a failed batch one by one, so that only the faulty one fails', async () => {
    const good = as(transactionDelivered, dealEvent(12, 3))
    const bad = as(transactionDelivered, dealEvent(13, 4), { title: 'unbearable' })
    const outcomes = await Promise.allSettled([deliver(good), deliver(bad)])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(await effectsOf(good.id)).toHaveLength(1)
    expect([await effectsOf(bad.id), await inboxOf(bad.id)]).toEqual([[], []])
  })

  it('calls an idempotent handler for every delivery', async () => {
    const event = as(transactionShipped, dealEvent(14, 0), { trackingNumber: 'HF1', carrier: null })
    await deliver(event)
    await deliver(event, 2)
    expect(attempts).toEqual([1, 2])
    expect(await inboxOf(event.id)).toEqual([])
  })

  it('shows the real error of a handler in the dead letters', async () => {
    // Nest has words of its own for an error of a handler. Of another class than this one, an error would be tried again.
    handle = async () => {
      throw new PoisonEventError('the ledger refuses')
    }
    const event = dealEvent(6, 0)
    await escrow.app.get(DataSource).transaction(manager => appendToOutbox(manager, event))
    const letterOf = async () => (await listDeadLetters(admin)).find(({ eventId }) => eventId === event.id)
    await eventually(async () => (await letterOf()) !== undefined)
    expect(await letterOf()).toMatchObject({ attempts: 1, error: expect.stringContaining('the ledger refuses') })
  })

  it('allows no service to write to the topic of another or to change the log, and no reader to write', async () => {
    const asRole = async (role: string, sql: string): Promise<void> => {
      const client = new pg.Client(urlOf(role))
      await client.connect()
      try {
        await client.query(sql)
      } finally {
        await client.end()
      }
    }
    const insert = `INSERT INTO events.log (topic, partition, position, id, key, type, payload, occurred_at)
      VALUES ('escrow.transaction', 0, 1000000, gen_random_uuid(), '1', 't', '{}', now())`
    await expect(asRole('listing_svc', insert)).rejects.toThrow(/row-level security/)
    await expect(asRole('gateway_svc', insert)).rejects.toThrow(/permission denied/)
    await expect(asRole('escrow_svc', 'DELETE FROM events.log')).rejects.toThrow(/permission denied/)
    await expect(asRole('escrow_svc', "UPDATE events.log SET key = ''")).rejects.toThrow(/permission denied/)
    await asRole('gateway_svc', 'SELECT 1 FROM events.log')
    const moved = "UPDATE events.head SET next = 1 WHERE topic = 'escrow.transaction'"
    const client = new pg.Client(urlOf('listing_svc'))
    await client.connect()
    expect((await client.query(moved)).rowCount).toBe(0)
    await client.end()
  })

  it('deletes inbox rows that are older than any event that can be delivered again', async () => {
    const days = [INBOX_DAYS - 1, INBOX_DAYS + 1, INBOX_DAYS + 2, INBOX_DAYS + 3]
    const insert = `INSERT INTO listing.inbox SELECT 'aged', gen_random_uuid(), now() - age * interval '1 day' FROM unnest($1::int[]) age`
    await admin.query(insert, [days])
    await listing.app.get(InboxCleanup).run(2)
    const { rows } = await admin.query(
      `SELECT at > now() - $1 * interval '1 day' AS young FROM listing.inbox WHERE consumer = 'aged'`,
      [INBOX_DAYS],
    )
    expect(rows).toEqual([{ young: true }])
  })

  it('has metrics', async () => {
    const text = await registry.metrics()
    expect(text).toMatch(/events_published_total\{service="[a-z-]+"\} [1-9]/)
    expect(text).toMatch(/events_consumed_total\{group="listing-svc",outcome="dead_lettered",service="[a-z-]+"\} 2/)
    // Two services share this process, and the gauge belongs to the first one.
    expect(text).toMatch(/consumer_lag_events\{group="escrow-svc".*\} \d/)
    expect(text).toMatch(/events_partition_waiting_seconds\{group="escrow-svc".*\} \d/)
    expect(text).toMatch(/outbox_depth\{.*\} \d/)
  })

  it('sends the last events and finishes those in progress when the services close', async () => {
    const events = Array.from({ length: 50 }, (_, nth) => dealEvent(7, nth))
    let [begun, finished] = [0, 0]
    handle = async () => {
      begun++
      await sleep(200)
      finished++
    }
    await escrow.app.get(DataSource).transaction(manager => appendToOutbox(manager, ...events))
    await escrow.close()
    expect((await admin.query('SELECT 1 FROM escrow.outbox')).rowCount).toBe(0)
    await eventually(() => finished > 0)
    await listing.close()
    expect(finished).toBe(begun)
    expect(begun).toBeLessThan(50)
    const effects = await admin.query('SELECT 1 FROM listing.effect WHERE event_id = ANY($1)', [events.map(e => e.id)])
    const cursor = await admin.query<{ read: string }>(
      "SELECT sum(position) AS read FROM events.cursor WHERE consumer_group = 'listing-svc' AND topic = 'escrow.transaction'",
    )
    const written = await admin.query('SELECT 1 FROM events.log')
    // Each event was handled completely or not at all: no handler was interrupted.
    expect(effects.rowCount).toBe(finished)
    expect(Number(cursor.rows[0]!.read)).toBe(written.rowCount! - (50 - effects.rowCount!))
    const open = "SELECT 1 FROM pg_stat_activity WHERE datname = $1 AND usename IN ('escrow_svc', 'listing_svc')"
    // PostgreSQL lists a connection for a moment after its client has closed it.
    await eventually(async () => (await admin.query(open, [database.name])).rowCount === 0, 2_000)
  })
})
