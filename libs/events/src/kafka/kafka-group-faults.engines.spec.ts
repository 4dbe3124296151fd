import { setTimeout as sleep } from 'node:timers/promises'
import kafkajs from 'kafkajs'
import { CuttableProxy } from '../../test/cuttable-proxy.js'
import { effectThrough, KafkaTests, relay, round, SHORTEST_SESSION_MS } from '../../test/kafka-tests.js'
import { dealEvent, eventually, stored } from '../../test/scratch-log.js'
import { newGroup, OUTAGE_ATTEMPTS, topics } from '../../test/transport-tests.js'
import { listDeadLetters } from '../embedded/dead-letters.js'
import { PARTITIONS, partitionOf } from '../embedded/partition.js'
import { type Delivery, PoisonEventError } from '../transport.js'
import { KafkaAdmin } from './kafka-admin.js'
import { kafkaClient } from './kafka-client.js'
import { KafkaReader } from './kafka-reader.js'

const { AssignerProtocol, PartitionAssigners } = kafkajs

describe('a consumer group on Kafka', () => {
  const tests = new KafkaTests()

  it('has one effect per event, in order, although processes come and go while events are handled', async () => {
    const writer = await tests.transport()
    const group = newGroup()
    const effect = effectThrough(tests.database)
    let deliveries = 0
    const handler = async (delivery: Delivery): Promise<void> => {
      deliveries++
      await sleep(Math.random() * 20)
      await effect(delivery)
    }
    const join = async () => (await tests.transport()).subscribe({ group, topics, handler })
    await join()
    let nth = 0
    for (const _ of [1, 2]) {
      const second = await join()
      const until = deliveries + 100
      while (deliveries < until) await writer.publish(round(20, nth++))
      await second.close()
    }
    await tests.expectEffects(20, nth)
  })

  it('leaves a partition to a handler that takes longer than the session, and handles the others', async () => {
    const reader = await tests.transport()
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
    const other = kafkaClient(tests.kafka.settings, 'another').consumer({
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
    const reader = await tests.transport()
    await eventually(async () => (await tests.kafka.admin.listTopics()).includes('escrow.transaction'))
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

  it('replaces a consumer that stops fetching without an error', async () => {
    const writer = await tests.transport()
    await relay(writer, round(1, 0))
    const seen: (string | null)[] = []
    const reader = new KafkaReader({
      client: () => kafkaClient(tests.kafka.settings, 'reader'),
      admin: new KafkaAdmin(() => kafkaClient(tests.kafka.settings, 'reader').admin()),
      group: newGroup(),
      topics,
      sessionMs: SHORTEST_SESSION_MS,
      silenceMs: SHORTEST_SESSION_MS + 1_000,
      onJoin: () => {},
      onBatch: async ({ batch }) => {
        seen.push(batch.firstOffset())
        if (seen.length === 1) await new Promise(() => {})
      },
    })
    reader.start()
    await eventually(() => seen.length > 1)
    expect(seen[1]).toBe(seen[0])
    await reader.close()
  })

  it('writes no dead letter while the database is away, and writes it when it is back', async () => {
    const { hostname, port } = new URL(tests.log.url)
    const proxy = new CuttableProxy({ host: hostname, port: Number(port) })
    const url = new URL(tests.log.url)
    url.port = String(await proxy.open())
    const through = await tests.log.dataSource('escrow', [], url.href)
    const effect = effectThrough(through)
    const reader = tests.make('escrow-svc', { databaseUrl: url.href })
    try {
      await reader.start()
      // Alone in its partition, so that nothing else holds it back.
      const used = round(5, 0).map(({ key }) => partitionOf(key, PARTITIONS))
      const free = (key: number): number => (used.includes(partitionOf(String(key), PARTITIONS)) ? free(key + 1) : key)
      const poison = dealEvent(free(6), 0)
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
      await tests.expectEffects(5, 1)
      await proxy.cut()
      await relay(reader, [...round(5, 1), stored(poison)])
      await eventually(() => attempts.effect > 5 + 5 * OUTAGE_ATTEMPTS && attempts.poison > 1)
      expect((await reader.lag(group)).waitingSeconds).toBeGreaterThan(0)
      expect(await listDeadLetters(tests.log.admin)).toEqual([])
      await proxy.open()
      await tests.expectEffects(5, 2)
      await eventually(async () => (await reader.lag(group)).events === 0)
      expect((await listDeadLetters(tests.log.admin)).map(letter => letter.eventId)).toEqual([poison.id])
    } finally {
      await reader.stop()
      await through.destroy()
      await proxy.cut()
    }
  })
})
