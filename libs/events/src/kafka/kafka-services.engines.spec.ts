import { type EventEnvelope, type PayloadOf, transactionPaymentFailed } from '@holdfast/contracts/events'
import type { ServiceName } from '@holdfast/contracts/route'
import { databaseModule } from '@holdfast/service-kit/database/database.module'
import { applyMigrations } from '@holdfast/service-kit/database/migrations'
import { baseShape, databaseShape, loadConfig } from '@holdfast/service-kit/lifecycle/config'
import { type RunningService, startService } from '@holdfast/service-kit/lifecycle/service'
import { currentRequestId, requestContext } from '@holdfast/service-kit/telemetry/logging'
import { registry } from '@holdfast/service-kit/telemetry/metrics'
import { TestDatabase } from '@holdfast/test-database/test-database'
import { Controller, Module } from '@nestjs/common'
import { DataSource } from 'typeorm'
import { tablesOf } from '../../test/effect-tables.js'
import { ScratchKafka } from '../../test/scratch-kafka.js'
import { dealEvent, eventually } from '../../test/scratch-log.js'
import { tooManyConnections } from '../../test/transport-tests.js'
import { EventsServer } from '../consumer/events-server.js'
import { type OnceContext, OnEvent } from '../consumer/on-event.js'
import { listDeadLetters } from '../embedded/dead-letters.js'
import { listWaitingEvents } from '../embedded/waiting-events.js'
import { eventsModule } from '../events.module.js'
import { EVENT_READERS, EVENT_ROLES, eventsPlan } from '../migrations.js'
import { appendToOutbox } from '../outbox/outbox.js'

let isOutage = false

@Controller()
class DealsConsumer {
  @OnEvent(transactionPaymentFailed, { consumer: 'effect' })
  async failed(_: PayloadOf<typeof transactionPaymentFailed>, { manager, event }: OnceContext): Promise<void> {
    if (isOutage) throw tooManyConnections()
    await manager.query('INSERT INTO effect VALUES ($1, $2)', [event.id, currentRequestId()])
  }
}

/** Roles belong to the whole server, so every test gives a role the same password. */
const PASSWORD = 'scratch'

describe('services whose events Kafka carries', () => {
  let database: TestDatabase
  let kafka: ScratchKafka
  let escrow: RunningService
  let listing: RunningService

  /** Boots a service with its own login. */
  async function boot(service: ServiceName, schema: string, controllers: (new (...all: never[]) => object)[]) {
    const tables = { service, schema, entities: [], migrations: [tablesOf(schema)], connections: 20 }
    @Module({ imports: [databaseModule(tables), eventsModule({ service, schema })], controllers })
    class AppModule {}
    const config = loadConfig(
      { ...baseShape, ...databaseShape },
      {
        NODE_ENV: 'test',
        PORT: '0',
        OPS_PORT: '0',
        EVENTS_TRANSPORT: 'kafka',
        KAFKA_BROKERS: kafka.engine.broker,
        DATABASE_URL: database.url({ role: `${schema}_svc`, password: PASSWORD }),
      },
    )
    return startService({ name: service, module: AppModule, config, strategies: app => [app.get(EventsServer)] })
  }

  beforeAll(async () => {
    const planOf = (service: ServiceName, schema: string) => {
      return { service, schema, role: `${schema}_svc`, migrations: [tablesOf(schema)] }
    }
    const plans = [planOf('escrow-svc', 'escrow'), planOf('listing-svc', 'listing'), eventsPlan]
    const passwords = Object.fromEntries([...EVENT_ROLES, ...EVENT_READERS].map(role => [role, PASSWORD]))
    ;[kafka, database] = await Promise.all([
      ScratchKafka.start(),
      TestDatabase.create(made => applyMigrations({ adminUrl: made.url(), plans, passwords })),
    ])
    escrow = await boot('escrow-svc', 'escrow', [])
    listing = await boot('listing-svc', 'listing', [DealsConsumer])
  })
  afterAll(async () => {
    await Promise.all([escrow.app.close(), listing.app.close()])
    await Promise.all([database.drop(), kafka.stop()])
  })

  const commit = (...events: readonly EventEnvelope[]) =>
    escrow.app.get(DataSource).transaction(manager => appendToOutbox(manager, ...events))
  const effectsOf = async (id: string) =>
    (await database.admin.query('SELECT request_id FROM listing.effect WHERE event_id = $1', [id])).rows
  const metric = async (name: string) => {
    const values = (await registry.getSingleMetric(name)?.get())?.values ?? []
    return values.find(({ labels }) => labels.group === 'listing-svc')?.value
  }

  it('hand an event of a commit to the handler of another service, with its request id', async () => {
    const event = await requestContext.run({ requestId: 'the-request' }, async () => dealEvent(1, 0))
    await commit(event)
    await eventually(async () => (await effectsOf(event.id)).length > 0)
    expect(await effectsOf(event.id)).toEqual([{ request_id: 'the-request' }])
    await eventually(async () => (await metric('consumer_lag_events')) === 0)
  })

  it('make an event with an invalid payload a dead letter, and go on', async () => {
    const [bad, good] = [{ ...dealEvent(2, 0), payload: { transactionId: 'two' } }, dealEvent(2, 1)]
    await commit(bad, good)
    await eventually(async () => (await effectsOf(good.id)).length > 0)
    const letters = await listDeadLetters(database.admin)
    expect(letters.map(({ eventId, group, error }) => ({ eventId, group, error }))).toEqual([
      { eventId: bad.id, group: 'listing-svc', error: expect.stringContaining('does not match the schema') },
    ])
  })

  it('measure and show how long a partition waits', async () => {
    isOutage = true
    const event = dealEvent(3, 0)
    await commit(event)
    await eventually(async () => ((await metric('events_partition_waiting_seconds')) ?? 0) > 0)
    await eventually(async () => (await listWaitingEvents(database.admin)).some(({ eventId }) => eventId === event.id))
    expect(await metric('consumer_lag_events')).toBe(1)
    isOutage = false
    await eventually(async () => (await effectsOf(event.id)).length > 0)
    await eventually(async () => (await listWaitingEvents(database.admin)).length === 0)
  })
})
