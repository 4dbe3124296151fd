import { setTimeout as sleep } from 'node:timers/promises'
import type { EventEnvelope, Topic } from '@holdfast/contracts/events'
import type { ServiceName } from '@holdfast/contracts/route'
import { TOPIC_OWNERS } from '@holdfast/contracts/topology'
import { PARTITIONS, partitionOf } from '@holdfast/events/embedded/partition'
import { askAgain, type KafkaSettings, kafkaClient } from '@holdfast/events/kafka/kafka-client'
import { createTopics } from '@holdfast/events/kafka/kafka-topics'
import { KafkaTransport } from '@holdfast/events/kafka/kafka-transport'
import type { TestDatabase } from '@holdfast/test-database/test-database'
import kafkajs, { type Admin } from 'kafkajs'
import type pg from 'pg'
import type { Engines } from './engines.js'
import { type EventLog, stored } from './event-log.js'
import { eventually } from './eventually.js'

const TOPICS = Object.keys(TOPIC_OWNERS) as Topic[]
/** More than the 10 s of a session. */
const ATTEMPTS = 100
const PAUSE_MS = 200
/** It owns no topic, so it only reads. */
const READER: ServiceName = 'gateway'

type Query = (text: unknown, values?: unknown[]) => Promise<pg.QueryResult>

/** A row of `events.log`. */
type LogEntry = EventEnvelope & { readonly partition: number; readonly position: number }

const COPY = `INSERT INTO events.log (topic, partition, position, id, key, type, payload, request_id, traceparent, occurred_at)
  SELECT topic, partition, position, id, key, type, payload, "requestId", traceparent, "occurredAt"
    FROM json_to_recordset($1) AS e(topic text, partition int, position bigint, id uuid, key text, type text, payload json,
      "requestId" text, traceparent text, "occurredAt" timestamptz)`

/**
 * Kafka, which belongs to one scratch database at a time: the services that used the previous one are stopped. Tests read what was published
 * from the table `events.log`, as with the embedded log: before a query that names it, the events on Kafka are copied into that table.
 */
export class KafkaLog implements EventLog {
  readonly environment: NodeJS.ProcessEnv
  private readonly transports = new Map<ServiceName, KafkaTransport>()
  /** The events on Kafka by their ids, in the order in which they came. One that came again counts once. */
  private readonly entries = new Map<string, LogEntry>()
  private messages = 0n
  private copied = 0
  private queries: Promise<unknown> = Promise.resolve()

  private constructor(
    private readonly database: TestDatabase,
    private readonly settings: KafkaSettings,
    private readonly admin: Admin,
  ) {
    this.environment = { EVENTS_TRANSPORT: 'kafka', KAFKA_BROKERS: settings.brokers.join(',') }
  }

  /** Begins with empty topics and without consumer groups. */
  static async open({ environment }: Engines, database: TestDatabase): Promise<KafkaLog> {
    const settings = { brokers: [environment.KAFKA_BROKERS], tls: false, partitions: PARTITIONS, replication: 1 }
    const admin = kafkaClient(settings, 'test').admin()
    await admin.connect()
    await createTopics(admin, TOPICS, settings)
    await untilDone(() => forgetGroups(admin))
    await untilDone(() => Promise.all(TOPICS.map(topic => empty(admin, topic))))
    const log = new KafkaLog(database, settings, admin)
    await log.read()
    return log
  }

  async publish(service: ServiceName, events: readonly EventEnvelope[]): Promise<void> {
    await (await this.transportOf(service)).publish(events.map(stored))
  }

  /** Publishes them all again: a group cannot be set back while it reads. */
  async redeliverAll(): Promise<void> {
    await this.untilAllRead()
    const events = [...this.entries.values()]
    const owners = new Set(events.map(({ topic }) => TOPIC_OWNERS[topic]))
    for (const owner of owners)
      await this.publish(
        owner,
        events.filter(({ topic }) => TOPIC_OWNERS[topic] === owner),
      )
  }

  async isCaughtUp(group: ServiceName): Promise<boolean> {
    const topics = await this.topicsOf(group)
    if (topics.length === 0) return false
    const committed = await askAgain(() => this.admin.fetchOffsets({ groupId: group, topics }))
    const isBehind = async ({ topic, partitions }: (typeof committed)[number]) => {
      const offsetOf = (wanted: number) =>
        Number(partitions.find(({ partition }) => partition === wanted)?.offset ?? -1)
      const ends = await this.admin.fetchTopicOffsets(topic)
      return ends.some(({ partition, low, high }) => Math.max(Number(low), offsetOf(partition)) < Number(high))
    }
    return !(await Promise.all(committed.map(isBehind))).includes(true)
  }

  async close(): Promise<void> {
    await Promise.all([...this.transports.values()].map(transport => transport.stop()))
    await this.admin.disconnect()
  }

  /** Collects the events. From now on, a query of the test that names `events.log` finds all of them there. */
  private async read(): Promise<void> {
    const transport = await this.transportOf(READER)
    await transport.tail({
      topics: TOPICS,
      handler: event => {
        this.messages++
        if (this.entries.has(event.id)) return
        const partition = partitionOf(event.key, PARTITIONS)
        this.entries.set(event.id, { ...event, partition, position: this.entries.size + 1 })
      },
    })
    const { admin } = this.database
    const query = admin.query.bind(admin) as Query
    const querying: Query = (text, values) => {
      if (typeof text !== 'string' || !text.includes('events.log')) return query(text, values)
      const result = this.queries.then(() => this.queryLog(text, values))
      this.queries = result.catch(() => undefined)
      return result
    }
    admin.query = querying as typeof admin.query
  }

  /**
   * Copies the events that are new, and runs the query in the same dbTx. Its snapshot is taken first: an event that has left an outbox by then
   * is on Kafka, so no query that reads both misses it.
   */
  private async queryLog(text: string, values: unknown[] = []): Promise<pg.QueryResult> {
    const client = await this.database.admin.connect()
    try {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1 FROM events.head LIMIT 1')
      await this.untilAllRead()
      const entries = [...this.entries.values()]
      await client.query(COPY, [JSON.stringify(entries.slice(this.copied))])
      const result = await client.query(text, values)
      await client.query('COMMIT')
      this.copied = entries.length
      client.release()
      return result
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  /** Waits until every event that Kafka has now is collected. The topics were empty at the beginning. */
  private async untilAllRead(): Promise<void> {
    const counts = await Promise.all(TOPICS.map(async topic => lengthOf(await this.admin.fetchTopicOffsets(topic))))
    const onKafka = counts.reduce((sum, count) => sum + count, 0n)
    await eventually(() => this.messages >= onKafka)
  }

  /** The topics whose partitions the members of a group have. */
  private async topicsOf(group: ServiceName): Promise<Topic[]> {
    const { groups } = await askAgain(() => this.admin.describeGroups([group]))
    const { MemberAssignment } = kafkajs.AssignerProtocol
    const assignments = groups
      .flatMap(({ members }) => members)
      .map(({ memberAssignment }) => MemberAssignment.decode(memberAssignment)?.assignment ?? {})
    return [...new Set(assignments.flatMap(assignment => Object.keys(assignment) as Topic[]))]
  }

  private async transportOf(service: ServiceName): Promise<KafkaTransport> {
    const existing = this.transports.get(service)
    if (existing) return existing
    const transport = new KafkaTransport({ kafka: this.settings, databaseUrl: this.database.url(), service })
    this.transports.set(service, transport)
    await transport.start()
    return transport
  }
}

const lengthOf = (partitions: readonly { low: string; high: string }[]): bigint =>
  partitions.reduce((sum, { low, high }) => sum + BigInt(high) - BigInt(low), 0n)

/** Tries again after an error: a new topic has no leader yet, and a group whose process was killed is kept until its session has ended. */
async function untilDone(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work()
      return
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      await sleep(PAUSE_MS)
    }
  }
}

async function forgetGroups(admin: Admin): Promise<void> {
  const { groups } = await admin.listGroups()
  if (groups.length > 0) await admin.deleteGroups(groups.map(({ groupId }) => groupId))
}

async function empty(admin: Admin, topic: Topic): Promise<void> {
  const offsets = await admin.fetchTopicOffsets(topic)
  if (lengthOf(offsets) === 0n) return
  await admin.deleteTopicRecords({
    topic,
    partitions: offsets.map(({ partition, high }) => ({ partition, offset: high })),
  })
}
