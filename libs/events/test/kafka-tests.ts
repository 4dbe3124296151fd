import { setTimeout as sleep } from 'node:timers/promises'
import type { DataSource } from 'typeorm'
import { handleOnce } from '../src/inbox/inbox.js'
import { type KafkaOptions, KafkaTransport } from '../src/kafka/kafka-transport.js'
import type { Delivery, EventTransport, StoredEvent } from '../src/transport.js'
import { ScratchKafka } from './scratch-kafka.js'
import { dealEvent, eventually, ScratchLog, stored } from './scratch-log.js'
import { FAST_RETRIES, startsTransports, titleOf } from './transport-tests.js'

/** The shortest session that a broker allows. */
export const SHORTEST_SESSION_MS = 6_000

/** One event of each key. */
export const round = (keys: number, nth: number): StoredEvent[] =>
  Array.from({ length: keys }, (_, key) => stored(dealEvent(key + 1, nth)))

/** Publishes as the relay does: what was not acknowledged is published again. */
export async function relay(by: Pick<EventTransport, 'publish'>, batch: readonly StoredEvent[]): Promise<void> {
  for (;;) {
    const failure = await by.publish(batch).then(
      () => null,
      (error: unknown) => error,
    )
    if (failure === null) return
    await sleep(100)
  }
}

/** A handler whose effect is in the dbTx of the inbox, as those of the services. */
export const effectThrough =
  (database: DataSource) =>
  async ({ event }: Delivery): Promise<void> => {
    await handleOnce(database, 'effects', [event], async (_, manager) => {
      const values = [event.id, event.key, titleOf(event)]
      await manager.query('INSERT INTO effect (event_id, key, title) VALUES ($1, $2, $3)', values)
    })
  }

/** A Kafka and a database for the tests of a `describe`. Before each test both are empty. */
export class KafkaTests {
  log!: ScratchLog
  kafka!: ScratchKafka
  /** With the search_path of the handlers. */
  database!: DataSource

  constructor(brokers = 1) {
    beforeAll(async () => {
      ;[this.log, this.kafka] = await Promise.all([ScratchLog.make(), ScratchKafka.start(brokers)])
      await this.log.admin.query('CREATE TABLE escrow.effect (event_id uuid, key text, title text, nth bigserial)')
      this.database = await this.log.dataSource('escrow')
    })
    beforeEach(async () => {
      const truncate = 'TRUNCATE events.dead_letter, events.waiting, escrow.effect, escrow.inbox RESTART IDENTITY'
      await Promise.all([this.kafka.empty(), this.log.admin.query(truncate)])
    })
    afterAll(async () => {
      await this.database.destroy()
      await Promise.all([this.log.drop(), this.kafka.stop()])
    })
  }

  /** A transport that is not started. */
  readonly make = (service: string, changed: Partial<KafkaOptions> = {}): KafkaTransport =>
    new KafkaTransport({
      kafka: this.kafka.settings,
      databaseUrl: this.log.url,
      service,
      retryDelaysMs: FAST_RETRIES,
      sessionMs: SHORTEST_SESSION_MS,
      ...changed,
    })

  /** A started transport, which is stopped after the test. */
  readonly transport = startsTransports({ log: () => this.log, make: this.make, deliversOnce: false })

  /** Waits for the effects of `perKey` events of each key, and expects each once and in order. */
  async expectEffects(keys: number, perKey: number): Promise<void> {
    const count = async () => (await this.log.admin.query('SELECT count(*)::int AS n FROM escrow.effect')).rows[0].n
    await eventually(async () => (await count()) >= keys * perKey, 30_000)
    const { rows } = await this.log.admin.query<{ key: string; titles: string[] }>(
      'SELECT key, array_agg(title ORDER BY nth) AS titles FROM escrow.effect GROUP BY key',
    )
    expect(rows).toHaveLength(keys)
    for (const row of rows) expect(row.titles).toEqual(Array.from({ length: perKey }, (_, nth) => String(nth)))
  }
}
