import { randomUUID } from 'node:crypto'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type { Admin, Consumer, EachBatchPayload, IMemberAssignment, KafkaMessage } from 'kafkajs'
import { eventOf } from '../consumer/log-event.js'
import type { TailOptions } from '../transport.js'
import { askAgain } from './kafka-client.js'
import { rowOf } from './kafka-message.js'
import { KafkaReader, type ReaderOptions } from './kafka-reader.js'

/**
 * Reads all new events for this process, as the only member of a group of its own. It remembers its positions itself, so that it
 * continues after the last event when the broker has forgotten the group.
 */
export class KafkaTail {
  private readonly logger = loggerOf('events-tail')
  private readonly next = new Map<string, bigint>()
  private readonly reader: KafkaReader

  constructor(
    private readonly source: Pick<ReaderOptions, 'client' | 'admin' | 'sessionMs'>,
    service: string,
    private readonly options: TailOptions,
  ) {
    this.reader = new KafkaReader({
      ...source,
      group: `${service}.tail.${randomUUID()}`,
      topics: options.topics,
      onJoin: (consumer, assigned) => this.join(consumer, assigned),
      onBatch: payload => this.take(payload),
    })
  }

  /** Resolves when the start position is known: every event that is published later will be delivered. */
  async start(): Promise<void> {
    await askAgain(() => this.source.admin.use(admin => this.findEnds(admin)))
    this.reader.start()
  }

  /** It rejects while a partition has no leader. Without a position, all old events of that partition would be taken for new ones. */
  private async findEnds(admin: Admin): Promise<void> {
    const existing = await admin.listTopics()
    for (const topic of this.options.topics.filter(name => existing.includes(name))) {
      for (const { partition, high } of await admin.fetchTopicOffsets(topic))
        this.next.set(`${topic}/${partition}`, BigInt(high))
    }
  }

  close(): Promise<void> {
    return this.reader.close()
  }

  /** A topic without a position was created later, so all of its events are new. */
  private join(consumer: Consumer, assigned: IMemberAssignment): void {
    for (const [topic, partitions] of Object.entries(assigned)) {
      for (const partition of partitions)
        consumer.seek({ topic, partition, offset: String(this.next.get(`${topic}/${partition}`) ?? 0n) })
    }
  }

  private async take({ batch, heartbeat, resolveOffset }: EachBatchPayload): Promise<void> {
    const { topic, partition, messages } = batch
    const key = `${topic}/${partition}`
    for (const message of messages) {
      if (BigInt(message.offset) >= (this.next.get(key) ?? 0n)) {
        this.next.set(key, BigInt(message.offset) + 1n)
        await this.show(topic, partition, message)
      }
      resolveOffset(message.offset)
      await heartbeat()
    }
  }

  private async show(topic: string, partition: number, message: KafkaMessage): Promise<void> {
    const row = rowOf(topic, partition, message)
    if (!row) return
    try {
      await this.options.handler(eventOf(row))
    } catch (error) {
      this.logger.error({ err: error, event: row.id, type: row.type }, 'a live event was not delivered')
    }
  }
}
