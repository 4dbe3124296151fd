import { setTimeout as sleep } from 'node:timers/promises'
import type { EventEnvelope } from '@holdfast/contracts/events'
import type { EngineProcess } from '@holdfast/engines/engine-process'
import kafkajs from 'kafkajs'
import { effectThrough, KafkaTests, relay, round } from '../../test/kafka-tests.js'
import { eventually } from '../../test/scratch-log.js'
import { expectInOrder, newGroup, topics } from '../../test/transport-tests.js'
import type { Delivery, EventTransport, StoredEvent } from '../transport.js'
import { askAgain } from './kafka-client.js'
import { KafkaProducer } from './kafka-producer.js'
import { createTopics } from './kafka-topics.js'

const { ConfigResourceTypes, ConfigSource } = kafkajs

const BROKERS = 3
/** Enough for events in every partition, and so on every broker. */
const KEYS = 20
const ROUND_MS = 100
/** In this time publishing and handling go on. It is three times the longest that was measured on a busy machine. */
const WITHIN_MS = 60_000

/** Where the progress of all groups is. The leader of its only partition coordinates them. */
const GROUP_OFFSETS = '__consumer_offsets'

/** Events that are published, handled by two processes of a group, and shown live, until `end`. */
class Traffic {
  private readonly rounds: StoredEvent[][] = []
  private readonly handled = new Set<string>()
  private readonly live: EventEnvelope[] = []
  private acknowledged = 0
  private ended = false
  private publishing = Promise.resolve()

  static async start(tests: KafkaTests): Promise<Traffic> {
    const traffic = new Traffic(tests)
    const group = newGroup()
    const effect = effectThrough(tests.database)
    const handler = async (delivery: Delivery): Promise<void> => {
      await effect(delivery)
      traffic.handled.add(delivery.event.id)
    }
    await (await tests.transport('gateway')).tail({ topics, handler: event => void traffic.live.push(event) })
    for (const _ of [1, 2]) await (await tests.transport()).subscribe({ group, topics, handler })
    traffic.publishing = traffic.publish(await tests.transport())
    await traffic.goesOn()
    return traffic
  }

  private constructor(private readonly tests: KafkaTests) {}

  /** Resolves when a round of events that begins after this call is acknowledged and handled. */
  async goesOn(): Promise<void> {
    const nth = this.rounds.length
    await eventually(() => this.acknowledged > nth, WITHIN_MS)
    await eventually(() => this.rounds[nth]!.every(({ id }) => this.handled.has(id)), WITHIN_MS)
  }

  stop(): void {
    this.ended = true
  }

  /** Expects one effect of each acknowledged event, those of a key in order, and all of them in the live events. */
  async end(): Promise<void> {
    this.stop()
    await this.publishing
    const { length } = this.rounds
    await this.tests.expectEffects(KEYS, length)
    await eventually(() => new Set(this.live.map(event => event.id)).size === KEYS * length, WITHIN_MS)
    expectInOrder(this.live, KEYS, length)
  }

  private async publish(by: EventTransport): Promise<void> {
    while (!this.ended) {
      const events = round(KEYS, this.rounds.length)
      this.rounds.push(events)
      await relay(by, events)
      this.acknowledged++
      await sleep(ROUND_MS)
    }
  }
}

describe('the transport on a Kafka of three brokers', () => {
  const tests = new KafkaTests(BROKERS)
  let traffic: Traffic

  beforeEach(async () => {
    traffic = await Traffic.start(tests)
  })
  afterEach(() => traffic.stop())

  const partitions = (names: string[] = [...topics, GROUP_OFFSETS]) =>
    askAgain(async () => {
      const found = await tests.kafka.admin.fetchTopicMetadata({ topics: names })
      return found.topics.flatMap(({ name, partitions }) => partitions.map(each => ({ topic: name, ...each })))
    })
  const brokerOf = (id: number): EngineProcess => tests.kafka.engines[id - 1]!.process
  const coordinatorId = async (): Promise<number> => (await partitions([GROUP_OFFSETS]))[0]!.leader

  it('has each event on every broker, and two must have it before it counts as published', async () => {
    const { admin, settings } = tests.kafka
    await createTopics(admin, ['identity.user'], settings)
    await eventually(async () => (await partitions(['identity.user'])).every(({ isr }) => isr.length === BROKERS))
    const asked = { type: ConfigResourceTypes.TOPIC, name: 'identity.user', configNames: ['min.insync.replicas'] }
    const { resources } = await admin.describeConfigs({ resources: [asked], includeSynonyms: false })
    // The brokers of this test have the same default, so the topic must have a setting of its own.
    const setting = { configName: 'min.insync.replicas', configValue: '2', configSource: ConfigSource.TOPIC_CONFIG }
    expect(resources[0]!.configEntries).toMatchObject([setting])
  })

  it('counts no event as published that fewer brokers have than must have it', async () => {
    const topic = 'listing.listing'
    const { admin, settings } = tests.kafka
    // All of them, because without two brokers nothing in this cluster goes on.
    const configEntries = [{ name: 'min.insync.replicas', value: String(BROKERS) }]
    const made = { topic, numPartitions: settings.partitions, replicationFactor: BROKERS, configEntries }
    await admin.createTopics({ topics: [made], waitForLeaders: false })
    const producer = new KafkaProducer(settings, 'listing-svc', 1)
    const send = (nth: number) => producer.send(round(KEYS, nth).map(event => ({ ...event, topic })))
    await relay({ publish: () => send(0) }, [])
    const killed = tests.kafka.engines.at(-1)!.process
    await killed.kill()
    try {
      // Meanwhile a partition may have no leader, which is another refusal.
      await eventually(async () => {
        const refusal = await send(1).then(
          () => 'published',
          (error: Error) => error.message,
        )
        expect(refusal).not.toBe('published')
        return refusal.includes('fewer in-sync replicas than required')
      }, WITHIN_MS)
    } finally {
      await killed.start()
    }
    await relay({ publish: () => send(1) }, [])
    await producer.stop()
    await eventually(async () => (await partitions()).every(({ isr }) => isr.length === BROKERS), WITHIN_MS)
  })

  it('goes on while every partition gets another leader and the group another coordinator', async () => {
    const before = await partitions()
    // The first copy is the preferred leader. Kafka makes it the leader within a second.
    const moved = before.map(({ replicas, leader, ...each }) => ({
      ...each,
      replicas: [...replicas.filter(id => id !== leader), leader],
    }))
    await tests.kafka.admin.alterPartitionReassignments({
      topics: [...topics, GROUP_OFFSETS].map(topic => ({
        topic,
        partitionAssignment: moved
          .filter(each => each.topic === topic)
          .map(({ partitionId, replicas }) => ({ partition: partitionId, replicas })),
      })),
    })
    const hasMoved = ({ topic, partitionId, leader }: (typeof before)[number]) =>
      moved.some(each => each.topic === topic && each.partitionId === partitionId && each.replicas[0] === leader)
    await eventually(async () => (await partitions()).every(hasMoved), WITHIN_MS)
    await traffic.goesOn()
    await traffic.end()
  })

  it('goes on without a broker that answers nothing for longer than its session, and again with it', async () => {
    const coordinator = brokerOf(await coordinatorId())
    coordinator.pause()
    await traffic.goesOn().finally(() => coordinator.resume())
    await traffic.end()
  })

  it('begins to read while one of the brokers answers nothing', async () => {
    const silent = brokerOf(await coordinatorId())
    const late = tests.make('escrow-svc')
    let isReading = false
    const handler = async (): Promise<void> => {
      isReading = true
    }
    silent.pause()
    try {
      await late.start()
      await late.subscribe({ group: newGroup(), topics, handler })
      await eventually(() => isReading, WITHIN_MS)
    } finally {
      silent.resume()
      await late.stop()
    }
    await traffic.end()
  })

  it('goes on without the broker that coordinates the group, and then without one that leads a partition', async () => {
    const coordinator = await coordinatorId()
    await brokerOf(coordinator).kill()
    await traffic.goesOn()
    await brokerOf(coordinator).start()
    await eventually(async () => (await partitions()).every(({ isr }) => isr.length === BROKERS), WITHIN_MS)
    await traffic.goesOn()
    const leader = (await partitions([...topics])).find(each => each.leader !== coordinator)!.leader
    await brokerOf(leader).kill()
    await traffic.goesOn()
    await traffic.end()
  })
})
