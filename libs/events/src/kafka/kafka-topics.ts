import type { Topic } from '@holdfast/contracts/events'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type { Admin } from 'kafkajs'
import type { KafkaSettings } from './kafka-client.js'

/** How long Kafka keeps an event, handled or not: shorter than the inbox remembers one, and longer than any outage may take. */
export const RETENTION_DAYS = 14
/**
 * Kafka deletes segments, and a segment only when its youngest event is too old. So an event is kept for up to this time longer. Kafka's
 * own default is seven days.
 */
export const SEGMENT_DAYS = 1
const DAY_MS = 86_400_000

/** With three copies or more, an event is acknowledged when two brokers have it. */
const inSync = (replication: number): number => (replication > 2 ? 2 : 1)

/**
 * Creates those of the topics that do not exist. Several processes may do so at once. A topic that exists stays as it is.
 */
export async function createTopics(
  admin: Admin,
  topics: readonly Topic[],
  { partitions, replication }: KafkaSettings,
): Promise<void> {
  const existing = new Set(await admin.listTopics())
  const missing = topics.filter(topic => !existing.has(topic))
  if (missing.length > 0)
    await admin.createTopics({
      // Waiting for leaders sometimes fails because the broker that is asked does not know the topic yet.
      waitForLeaders: false,
      topics: missing.map(topic => ({
        topic,
        numPartitions: partitions,
        replicationFactor: replication,
        configEntries: Object.entries({
          'retention.ms': RETENTION_DAYS * DAY_MS,
          'segment.ms': SEGMENT_DAYS * DAY_MS,
          'min.insync.replicas': inSync(replication),
          // The broker's clock, by which the age of an event is measured.
          'message.timestamp.type': 'LogAppendTime',
        }).map(([name, value]) => ({ name, value: String(value) })),
      })),
    })
  const kept = topics.filter(topic => existing.has(topic))
  if (kept.length === 0) return
  const log = loggerOf('kafka')
  for (const { name, partitions: actual } of (await admin.fetchTopicMetadata({ topics: kept })).topics) {
    if (actual.length !== partitions)
      log.warn(
        { topic: name, partitions: actual.length, configured: partitions },
        'a topic keeps its number of partitions, although another one is configured',
      )
    const copies = Math.min(...actual.map(({ replicas }) => replicas.length))
    if (copies < replication)
      log.warn(
        { topic: name, copies, configured: replication },
        'a topic keeps its number of copies, although more are configured',
      )
  }
}

/** Those of the topics that exist and can be read: each partition has a leader. */
export async function readableTopics<T extends string>(admin: Admin, topics: readonly T[]): Promise<T[]> {
  const existing = new Set(await admin.listTopics())
  const named = topics.filter(topic => existing.has(topic))
  if (named.length === 0) return []
  // It rejects for a topic that is being created or deleted. Every caller asks again.
  const { topics: found } = await admin.fetchTopicMetadata({ topics: named })
  const led = found.filter(({ partitions }) => partitions.length > 0 && partitions.every(({ leader }) => leader >= 0))
  return named.filter(topic => led.some(({ name }) => name === topic))
}
