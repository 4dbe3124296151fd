import { setTimeout as sleep } from 'node:timers/promises'
import type { EventEnvelope } from '@holdfast/contracts/events'
import { isDoneWithin } from '@holdfast/service-kit/lifecycle/waiting'
import { AssignerProtocol, PartitionAssigners } from 'kafkajs'
import type { DataSource } from 'typeorm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CuttableProxy } from '../../test/cuttable-proxy.js'
import { ScratchKafka } from '../../test/scratch-kafka.js'
import { dealEvent, eventually, ScratchLog, stored } from '../../test/scratch-log.js'
import {
  expectInOrder,
  FAST_RETRIES,
  newGroup,
  OUTAGE_ATTEMPTS,
  startsTransports,
  titleOf,
  topics,
} from '../../test/transport-contract.js'
import { listDeadLetters } from '../embedded/dead-letters.js'
import { handleOnce } from '../inbox/inbox.js'
import { type Delivery, type EventTransport, PoisonEventError, type StoredEvent } from '../transport.js'
import { kafkaClient } from './kafka-client.js'
import { createTopics } from './kafka-topics.js'
import { KafkaTransport } from './kafka-transport.js'

/** The shortest that a broker allows. */
const SHORTEST_SESSION_MS = 6_000

describe('the transport on Kafka', () => {
  let log: ScratchLog
  let kafka: ScratchKafka
  let database: DataSource

  beforeAll(async () => {
    ;[log, kafka] = await Promise.all([ScratchLog.make(), ScratchKafka.start()])
    await log.admin.query('CREATE TABLE escrow.effect (event_id uuid, key text, title text, nth bigserial)')
    database = await log.dataSource('escrow')
  })
  beforeEach(async () => {
    await Promise.all([
      kafka.empty(),
      log.admin.query('TRUNCATE events.dead_letter, escrow.effect, escrow.inbox RESTART IDENTITY'),
    ])
  })
  afterAll(async () => {
    await database.destroy()
    await Promise.all([log.drop(), kafka.stop()])
  })

  const options = (service: string) => ({
    kafka: kafka.settings,
    databaseUrl: log.url,
    service,
    retryDelaysMs: FAST_RETRIES,
  })
  const make = (service: string) => new KafkaTransport({ ...options(service), sessionMs: SHORTEST_SESSION_MS })
  const transport = startsTransports({ log: () => log, make, deliversOnce: false })

  /** Publishes as the relay does: what was not acknowledged is published again. */
  async function relay(by: EventTransport, batch: readonly StoredEvent[]): Promise<void> {
    while (
      !(await by.publish(batch).then(
        () => true,
        () => false,
      ))
    )
      await sleep(100)
  }
  const round = (keys: number, nth: number) => Array.from({ length: keys }, (_, key) => stored(dealEvent(key + 1, nth)))

  /** A handler whose effect is in the dbTx of the inbox, as those of the services. */
  const effectThrough =
    (source: () => DataSource) =>
    async ({ event }: Delivery): Promise<void> => {
      await handleOnce(source(), 'effects', [event], async (_, manager) => {
        const values = [event.id, event.key, titleOf(event)]
        await manager.query('INSERT INTO effect (event_id, key, title) VALUES ($1, $2, $3)', values)
      })
    }
  async function expectEffects(keys: number, perKey: number): Promise<void> {
    const count = async () => (await log.admin.query('SELECT count(*)::int AS n FROM escrow.effect')).rows[0].n
    await eventually(async () => (await count()) >= keys * perKey, 30_000)
    const { rows } = await log.admin.query<{ key: string; titles: string[] }>(
      'SELECT key, array_agg(title ORDER BY nth) AS titles FROM escrow.effect GROUP BY key',
    )
    expect(rows).toHaveLength(keys)
    for (const row of rows) expect(row.titles).toEqual(Array.from({ length: perKey }, (_, nth) => String(nth)))
  }

  it('loses no acknowledged event when the broker is killed, and goes on within seconds', async () => {
    const [writer, reader] = [await transport(), await transport()]
    const live: EventEnvelope[] = []
    await reader.subscribe({ group: newGroup(), topics, handler: effectThrough(() => database) })
    await (await transport('gateway')).tail({ topics, handler: event => void live.push(event) })
    for (let nth = 0; nth < 5; nth++) await relay(writer, round(20, nth))
    const killed = kafka.engine.process.kill()
    const writing = (async () => {
      for (let nth = 5; nth < 10; nth++) await relay(writer, round(20, nth))
    })()
    await killed
    await kafka.engine.process.start()
    await eventually(() => isDoneWithin(1, writing), 15_000)
    await expectEffects(20, 10)
    await eventually(() => new Set(live.map(event => event.id)).size === 200)
    expectInOrder(live, 20, 10)
  })

  it('goes on after a broker that answered nothing for longer than the session', async () => {
    const [writer, reader] = [await transport(), await transport()]
    const live: EventEnvelope[] = []
    await reader.subscribe({ group: newGroup(), topics, handler: effectThrough(() => database) })
    await (await transport('gateway')).tail({ topics, handler: event => void live.push(event) })
    await relay(writer, round(20, 0))
    await expectEffects(20, 1)
    kafka.engine.process.pause()
    const writing = relay(writer, round(20, 1))
    await sleep(11_000)
    kafka.engine.process.resume()
    await writing
    await relay(writer, round(20, 2))
    await expectEffects(20, 3)
    await eventually(() => new Set(live.map(event => event.id)).size === 60)
    expectInOrder(live, 20, 3)
  })

  it('has one effect per event, in order, although processes come and go while events are handled', async () => {
    const writer = await transport()
    const group = newGroup()
    const effect = effectThrough(() => database)
    let deliveries = 0
    const handler = async (delivery: Delivery): Promise<void> => {
      deliveries++
      await sleep(Math.random() * 20)
      await effect(delivery)
    }
    const join = async () => (await transport()).subscribe({ group, topics, handler })
    await join()
    let nth = 0
    for (const _ of [1, 2]) {
      const second = await join()
      const until = deliveries + 100
      while (deliveries < until) await writer.publish(round(20, nth++))
      await second.close()
    }
    await expectEffects(20, nth)
  })

  it('leaves a partition to a handler that takes longer than the session, and handles the others', async () => {
    const reader = await transport()
    const group = newGroup()
    const deliveries: string[] = []
    const handler = async ({ event }: Delivery): Promise<void> => {
      deliveries.push(event.key)
      if (event.key === '1') await sleep(SHORTEST_SESSION_MS + 1_500)
    }
    await reader.subscribe({ group, topics, handler })
    await reader.publish([stored(dealEvent(1, 0))])
    await eventually(() => deliveries.length === 1)
    await reader.publish([stored(dealEvent(2, 0))])
    await eventually(() => deliveries.length === 2)
    const lag = await reader.lag(group)
    expect(lag.events).toBe(1)
    await eventually(async () => (await reader.lag(group)).oldestSeconds > 2)
    await eventually(async () => (await reader.lag(group)).events === 0)
    expect(deliveries).toEqual(['1', '2'])
  })

  it('begins again after an error that kafkajs takes for final', async () => {
    const group = newGroup()
    const other = kafkaClient(kafka.settings, 'another').consumer({
      groupId: group,
      partitionAssigners: [
        config => ({
          ...PartitionAssigners.roundRobin(config),
          name: 'another',
          protocol: ({ topics }) => ({
            name: 'another',
            metadata: AssignerProtocol.MemberMetadata.encode({ version: 1, topics, userData: Buffer.alloc(0) }),
          }),
        }),
      ],
    })
    const joined = new Promise<void>(resolve => void other.on(other.events.GROUP_JOIN, () => resolve()))
    const reader = await transport()
    await eventually(async () => (await kafka.admin.listTopics()).includes('escrow.transaction'))
    await other.connect()
    await other.subscribe({ topics: [...topics] })
    await other.run({ autoCommit: false, eachMessage: async () => undefined })
    await joined
    // The coordinator refuses a member whose protocol is not that of the others: INCONSISTENT_GROUP_PROTOCOL, not retriable.
    const seen: string[] = []
    await reader.subscribe({ group, topics, handler: async ({ event }) => void seen.push(event.id) })
    const event = dealEvent(1, 0)
    await reader.publish([stored(event)])
    await sleep(1_000)
    expect(seen).toEqual([])
    await other.disconnect()
    await eventually(() => seen.length > 0)
    expect(new Set(seen)).toEqual(new Set([event.id]))
  })

  it('creates topics as configured, also when several processes do so at once, and again after they were deleted', async () => {
    const [writer, reader] = [await transport(), await transport()]
    const seen: string[] = []
    await reader.subscribe({ group: newGroup(), topics, handler: async ({ event }) => void seen.push(titleOf(event)) })
    await relay(writer, round(1, 0))
    await eventually(() => seen.length === 1)
    await kafka.admin.deleteTopics({ topics: [...topics] })
    await eventually(async () => !(await kafka.admin.listTopics()).includes(topics[0]))
    await Promise.all([1, 2, 3].map(() => createTopics(kafka.admin, topics, kafka.settings)))
    const { topics: made } = await kafka.admin.fetchTopicMetadata({ topics: [...topics] })
    expect(made[0]!.partitions).toHaveLength(kafka.settings.partitions)
    await relay(writer, round(1, 1))
    await eventually(() => seen.length === 2)
    expect(seen).toEqual(['0', '1'])
  })

  it('reads the topics that exist, and those that are created later', async () => {
    const reader = await transport()
    const seen: string[] = []
    const handler = async ({ event }: Delivery): Promise<void> => void seen.push(event.topic)
    await reader.subscribe({ group: newGroup(), topics: ['listing.listing', ...topics], handler })
    await relay(reader, round(1, 0))
    await eventually(() => seen.length === 1)
    const listing = await transport('listing-svc')
    await relay(listing, [stored({ ...dealEvent(1, 0), topic: 'listing.listing' })])
    await eventually(() => seen.length === 2)
    expect(seen).toEqual(['escrow.transaction', 'listing.listing'])
  })

  it('buries nothing while the database is away, and writes a dead letter when it is back', async () => {
    const { hostname, port } = new URL(log.url)
    const proxy = new CuttableProxy({ host: hostname, port: Number(port) })
    const url = new URL(log.url)
    url.port = String(await proxy.open())
    const through = await log.dataSource('escrow', [], url.href)
    const effect = effectThrough(() => through)
    const reader = new KafkaTransport({ ...options('escrow-svc'), databaseUrl: url.href })
    try {
      await reader.start()
      const poison = dealEvent(99, 0)
      const attempts = { effect: 0, poison: 0 }
      const group = newGroup()
      await reader.subscribe({
        group,
        topics,
        handler: async delivery => {
          const isPoison = delivery.event.id === poison.id
          attempts[isPoison ? 'poison' : 'effect']++
          if (isPoison) throw new PoisonEventError('broken')
          await effect(delivery)
        },
      })
      await relay(reader, round(5, 0))
      await expectEffects(5, 1)
      await proxy.cut()
      await relay(reader, [...round(5, 1), stored(poison)])
      await eventually(() => attempts.effect > 5 + 5 * OUTAGE_ATTEMPTS && attempts.poison > 1)
      expect((await reader.lag(group)).waitingSeconds).toBeGreaterThan(0)
      expect(await listDeadLetters(log.admin)).toEqual([])
      await proxy.open()
      await expectEffects(5, 2)
      await eventually(async () => (await reader.lag(group)).events === 0)
      expect((await listDeadLetters(log.admin)).map(letter => letter.eventId)).toEqual([poison.id])
    } finally {
      await reader.stop()
      await through.destroy()
      await proxy.cut()
    }
  })

  it('publishes a batch that is larger than what a broker accepts for a partition', async () => {
    const reader = await transport()
    const seen: EventEnvelope[] = []
    const large = 'x'.repeat(200_000)
    const events = Array.from({ length: 10 }, (_, nth) => {
      const event = dealEvent(1, nth)
      return { ...event, payload: { ...event.payload, large } }
    })
    await reader.publish(events.map(stored))
    await reader.subscribe({ group: newGroup(), topics, handler: async ({ event }) => void seen.push(event) })
    await eventually(() => seen.length === 10)
    expectInOrder(seen, 1, 10)
  })

  it('starts and stops while the broker is away', async () => {
    await kafka.engine.process.kill()
    const seen: string[] = []
    const [doomed, early] = [make('escrow-svc'), await transport()]
    for (const each of [doomed, early]) {
      await each.start()
      await each.subscribe({ group: newGroup(), topics, handler: async ({ event }) => void seen.push(event.id) })
    }
    const event = stored(dealEvent(1, 0))
    const unpublished = doomed.publish([event]).catch(() => 'refused')
    const published = relay(early, [event])
    await expect(doomed.tail({ topics, handler: () => {} })).rejects.toThrow()
    expect(await isDoneWithin(10_000, doomed.stop())).toBe(true)
    await kafka.engine.process.start()
    await published
    await eventually(() => seen.includes(event.id))
    await unpublished
  })
})
