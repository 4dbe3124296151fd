import { isDoneWithin } from '@holdfast/service-kit/lifecycle/waiting'
import type { Producer, RecordMetadata, TopicMessages } from 'kafkajs'
import { partitionOf } from '../embedded/partition.js'
import type { StoredEvent } from '../transport.js'
import { CLOSE_MS, disconnect, type KafkaSettings, kafkaClient, METADATA_MS } from './kafka-client.js'
import { messageOf } from './kafka-message.js'

/**
 * Most bytes of one request, unless a single event is larger. A broker refuses more than 1 MB for one partition, and kafkajs does
 * not divide what it is given. So a full batch of the relay could never be published.
 */
const BYTES_PER_REQUEST = 512 * 1024
/** What headers and the format add to an event, at most. */
const OVERHEAD_BYTES = 1_024

/** Waits for every in-sync copy. */
const ALL = -1

/** Writes events to Kafka in the order given. */
export class KafkaProducer {
  private connected: Promise<Producer> | undefined

  constructor(
    private readonly settings: KafkaSettings,
    private readonly service: string,
    private readonly attempts?: number,
  ) {}

  /** Resolves when every in-sync copy has the events. */
  async send(events: readonly StoredEvent[]): Promise<void> {
    for (const part of inRequests(events)) {
      this.connected ??= this.connect()
      const { connected } = this
      try {
        const topicMessages = byTopic(part)
        refuseUnsent(topicMessages, await (await connected).sendBatch({ acks: ALL, topicMessages }))
      } catch (error) {
        // A broker may have written a request that kafkajs gave up on. kafkajs uses the sequence numbers of that request again, and
        // the broker would take other events with those numbers for a repetition and drop them. A new producer has its own numbers.
        if (this.connected === connected) this.connected = undefined
        void connected.then(disconnect, () => undefined)
        throw error
      }
    }
  }

  async stop(): Promise<void> {
    const { connected } = this
    this.connected = undefined
    if (connected)
      await isDoneWithin(
        CLOSE_MS,
        connected.then(disconnect, () => undefined),
      )
  }

  private async connect(): Promise<Producer> {
    const producer = kafkaClient(this.settings, this.service, this.attempts).producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      metadataMaxAge: METADATA_MS,
      createPartitioner:
        () =>
        ({ message, partitionMetadata }) => {
          message.partition = partitionOf(String(message.key), partitionMetadata.length)
          return message.partition
        },
    })
    try {
      await producer.connect()
    } catch (error) {
      void disconnect(producer)
      throw error
    }
    return producer
  }
}

/**
 * When a broker fails, kafkajs asks who leads its partitions now. It sends nothing more to brokers that have answered this batch before. So
 * when one of these is the new leader of a partition, the events of that partition are never sent, and kafkajs resolves all the same.
 *
 * @throws when a partition has not acknowledged its events
 */
export function refuseUnsent(topicMessages: readonly TopicMessages[], answers: readonly RecordMetadata[]): void {
  const answered = new Set(answers.map(({ topicName, partition }) => `${topicName}/${partition}`))
  const sent = topicMessages.flatMap(({ topic, messages }) => messages.map(({ partition }) => `${topic}/${partition}`))
  const missing = new Set(sent.filter(partition => !answered.has(partition)))
  if (missing.size > 0) throw new Error(`kafkajs did not send the events of ${[...missing].join(', ')}`)
}

function inRequests(events: readonly StoredEvent[]): StoredEvent[][] {
  const requests: StoredEvent[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const event of events) {
    const size = Buffer.byteLength(event.payload) + OVERHEAD_BYTES
    if (bytes + size > BYTES_PER_REQUEST) {
      requests.push([])
      bytes = 0
    }
    requests.at(-1)!.push(event)
    bytes += size
  }
  return requests
}

function byTopic(events: readonly StoredEvent[]): TopicMessages[] {
  const topics = new Map<string, TopicMessages>()
  for (const event of events) {
    const entry = topics.get(event.topic) ?? { topic: event.topic, messages: [] }
    entry.messages.push(messageOf(event))
    topics.set(event.topic, entry)
  }
  return [...topics.values()]
}
