import type { EventEnvelope } from '@holdfast/contracts/events'
import { promisesOfDelivery } from '../../test/delivery-contract.js'
import { promisesOnFailure } from '../../test/failure-contract.js'
import { dealEvent, eventually, ScratchLog, stored } from '../../test/scratch-log.js'
import { expectInOrder, FAST_RETRIES, publish, startsTransports, titleOf, topics } from '../../test/transport-tests.js'
import { handleOnce } from '../inbox/inbox.js'
import { type Delivery, PoisonEventError } from '../transport.js'
import { listDeadLetters, requestReplayOfAll } from './dead-letters.js'
import { EmbeddedTransport, READER_DAYS } from './embedded-transport.js'
import { CLAIMS_AT_ONCE } from './log-group.js'
import { PARTITIONS, partitionOf } from './partition.js'

describe('the embedded transport', () => {
  let log: ScratchLog

  beforeAll(async () => {
    log = await ScratchLog.make()
    await log.admin.query('CREATE TABLE escrow.effect (event_id uuid, key text, title text, nth bigserial)')
  })
  beforeEach(async () => {
    await log.admin.query(
      'TRUNCATE events.log, events.cursor, events.dead_letter, escrow.inbox, escrow.effect; UPDATE events.head SET next = 1',
    )
  })
  afterAll(() => log.drop())

  const make = (service: string): EmbeddedTransport =>
    new EmbeddedTransport({ databaseUrl: log.url, service, retryDelaysMs: FAST_RETRIES })
  const tests = { log: () => log, make, deliversOnce: true }
  const transport = startsTransports(tests)

  promisesOfDelivery(tests)
  promisesOnFailure(tests)

  it('stores an event once, whether it is published again alone, in a batch, or by two relays at once', async () => {
    const [one, two] = [await transport(), await transport()]
    const events = Array.from({ length: 40 }, (_, nth) => stored(dealEvent((nth % 4) + 1, nth)))
    await Promise.all([one.publish(events), two.publish(events), two.publish(events.slice(0, 20))])
    await one.publish([events[0]!, events[0]!, stored(dealEvent(9, 0))])
    const { rows } = await log.admin.query('SELECT count(*)::int AS n, count(DISTINCT id)::int AS ids FROM events.log')
    expect(rows).toEqual([{ n: 41, ids: 41 }])
  })

  it('handles many events in one dbTx, without duplicates and without those handled before', async () => {
    const dataSource = await log.dataSource('escrow')
    try {
      const [known, fresh] = [dealEvent(1, 0), dealEvent(2, 0)]
      await handleOnce(dataSource, 'effects', [known], async () => {})
      const seen: string[] = []
      const deliveries = [known, fresh, fresh]
      const work = async (news: readonly EventEnvelope[]) => void seen.push(...news.map(({ id }) => id))
      expect(await handleOnce(dataSource, 'effects', deliveries, work)).toBe(1)
      expect(await handleOnce(dataSource, 'effects', deliveries, work)).toBe(0)
      expect(seen).toEqual([fresh.id])
    } finally {
      await dataSource.destroy()
    }
  })

  it('has one effect per event although deliveries repeat and connections are terminated', async () => {
    const dataSource = await log.dataSource('escrow')
    let deliveries = 0
    const handler = async ({ event }: Delivery): Promise<void> => {
      deliveries++
      await handleOnce(dataSource, 'effects', [event], async (_, manager) => {
        await manager.query('INSERT INTO effect (event_id, key, title) VALUES ($1, $2, $3)', [
          event.id,
          event.key,
          titleOf(event),
        ])
      })
    }
    const writer = await transport()
    for (let n = 0; n < 2; n++) await (await transport('listing-svc')).subscribe({ group: 'g', topics, handler })
    for (let round = 0; round < 25; round++) {
      await writer.publish(Array.from({ length: 20 }, (_, key) => stored(dealEvent(key + 1, round))))
      if (round % 5 === 4) await log.terminate('listing-svc-%')
    }
    await eventually(async () => (await writer.lag('g')).events === 0)
    await dataSource.destroy()
    const { rows } = await log.admin.query<{ key: string; titles: string[] }>(
      'SELECT key, array_agg(title ORDER BY nth) AS titles FROM escrow.effect GROUP BY key',
    )
    expect(rows).toHaveLength(20)
    for (const row of rows) expect(row.titles).toEqual(Array.from({ length: 25 }, (_, nth) => String(nth)))
    expect(deliveries).toBeGreaterThanOrEqual(500)
  })

  it('subscribes although the database ends the session that subscribes', async () => {
    const reader = await transport()
    const holder = await log.admin.connect()
    await holder.query('BEGIN; LOCK events.cursor')
    const titles: string[] = []
    const handler = async ({ event }: Delivery): Promise<void> => {
      titles.push(titleOf(event))
    }
    const subscribed = reader.subscribe({ group: 'g', topics, handler })
    await eventually(async () => (await log.terminate('escrow-svc-events')) > 0)
    await holder.query('ROLLBACK')
    holder.release()
    await subscribed
    await publish(reader, 1, 2)
    await eventually(() => titles.length === 2)
  })

  it('sends all new events to the tail of every process, also after terminated connections', async () => {
    const writer = await transport()
    await publish(writer, 3, 1)
    const seen: EventEnvelope[][] = [[], []]
    for (const mine of seen) {
      const handler = (event: EventEnvelope): void => {
        mine.push(event)
        if (mine.length === 3) throw new Error('a failing tail handler does not stop the tail')
      }
      await (await transport('gateway')).tail({ topics, handler })
    }
    for (let round = 0; round < 10; round++) {
      await writer.publish(Array.from({ length: 20 }, (_, key) => stored(dealEvent(key + 1, round))))
      if (round === 5) await log.terminate('gateway-%')
    }
    await eventually(() => seen.every(mine => mine.length >= 200))
    for (const mine of seen) expectInOrder(mine, 20, 10)
  })

  it('still measures the lag while slow handlers and a replay hold as many connections as they may', async () => {
    const reader = await transport()
    let isBroken = true
    let release = () => {}
    const released = new Promise<void>(resolve => (release = resolve))
    const slow: string[] = []
    const handler = async ({ event }: Delivery): Promise<void> => {
      if (isBroken) throw new PoisonEventError('broken')
      slow.push(event.key)
      await released
    }
    await reader.subscribe({ group: 'g', topics, handler })
    await publish(reader, 1, 1)
    await eventually(async () => (await listDeadLetters(log.admin)).length === 1)
    isBroken = false
    const keys = new Map([1, 2, 3, 4, 5, 6, 7, 8].map(key => [partitionOf(String(key), PARTITIONS), key]))
    for (const key of [...keys.values()].slice(0, CLAIMS_AT_ONCE)) {
      await reader.publish([stored(dealEvent(key, 1))])
      await eventually(() => slow.includes(String(key)))
    }
    await requestReplayOfAll(log.admin)
    await eventually(() => slow.length === CLAIMS_AT_ONCE + 1)
    expect((await reader.lag('g').finally(release)).events).toBe(CLAIMS_AT_ONCE)
  })

  it('deletes only events that are old and were read by every group', async () => {
    const reader = await transport()
    await publish(reader, 4, 5)
    await log.admin.query(
      "UPDATE events.log SET published_at = now() - interval '8 days' WHERE payload ->> 'title' < '3'",
    )
    expect(await reader.clean()).toBe(0)
    const subscription = await reader.subscribe({ group: 'g', topics, handler: async () => undefined })
    await eventually(async () => (await reader.lag('g')).events === 0)
    await subscription.close()
    expect(await reader.clean()).toBe(12)
    expect((await log.admin.query('SELECT 1 FROM events.log')).rowCount).toBe(8)
  })

  describe('a reader that no longer exists', () => {
    /** All events are old. The group `escrow-svc` has read them. */
    async function readOldEvents(): Promise<EmbeddedTransport> {
      const reader = await transport()
      await publish(reader, 4, 5)
      await log.admin.query("UPDATE events.log SET published_at = now() - interval '8 days'")
      await reader.subscribe({ group: 'escrow-svc', topics, handler: async () => undefined })
      await eventually(async () => (await reader.lag('escrow-svc')).events === 0)
      return reader
    }
    const cursorOf = (group: string, topic: string, daysIdle: number) =>
      log.admin.query(
        `INSERT INTO events.cursor (consumer_group, topic, partition, served_at)
          SELECT $1, topic, partition, now() - $3 * interval '1 day' FROM events.head WHERE topic = $2`,
        [group, topic, daysIdle],
      )
    const groups = async () =>
      (await log.admin.query('SELECT DISTINCT consumer_group AS name FROM events.cursor')).rows.map(({ name }) => name)

    it('does not keep the log from being cleaned: its group is dropped after a month', async () => {
      const reader = await readOldEvents()
      await cursorOf('abolished-svc', 'escrow.transaction', READER_DAYS + 1)
      expect(await reader.clean()).toBe(20)
      expect(await groups()).toEqual(['escrow-svc'])
    })

    /** An event of a topic that only the gateway reads, which keeps no cursor. */
    async function oldEventOfListing(days: number): Promise<void> {
      const { id, key, type, payload } = dealEvent(1, 0)
      await log.admin.query(
        `INSERT INTO events.log (topic, partition, position, id, key, type, payload, occurred_at, published_at)
          VALUES ('listing.listing', 0, $5::int, $1, $2, $3, $4, now(), now() - $5::int * interval '1 day')`,
        [id, key, type, payload, days],
      )
    }

    it('is dropped, too, when its group goes on and only reads other topics', async () => {
      const reader = await transport()
      await oldEventOfListing(READER_DAYS + 1)
      await cursorOf('escrow-svc', 'listing.listing', READER_DAYS + 1)
      await reader.subscribe({ group: 'escrow-svc', topics, handler: async () => undefined })
      expect(await reader.clean()).toBe(1)
    })

    it('does not keep the events of a topic that no group reads for longer than a month', async () => {
      const reader = await transport()
      await oldEventOfListing(READER_DAYS - 1)
      await oldEventOfListing(READER_DAYS + 1)
      expect(await reader.clean()).toBe(1)
    })

    it('is taken for one that is stopped when its group is known or has read within the month', async () => {
      const reader = await readOldEvents()
      await cursorOf('listing-svc', 'escrow.transaction', READER_DAYS + 1)
      await cursorOf('new-svc', 'escrow.transaction', READER_DAYS - 1)
      expect(await reader.clean()).toBe(0)
      expect((await groups()).sort()).toEqual(['escrow-svc', 'listing-svc', 'new-svc'])
    })
  })
})
