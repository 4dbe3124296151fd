import { eventually } from '@holdfast/testing/eventually'
import type { Admin, EachBatchPayload } from 'kafkajs'
import { KafkaAdmin } from '../src/kafka/kafka-admin.js'
import type { ReaderOptions } from '../src/kafka/kafka-reader.js'

type EachBatch = (payload: EachBatchPayload) => Promise<void>

/** A consumer of kafkajs without a broker: a test emits its events and hands it batches. */
export class FakeConsumer {
  readonly events = {
    CRASH: 'crash',
    FETCH: 'fetch',
    GROUP_JOIN: 'group_join',
    HEARTBEAT: 'heartbeat',
    REBALANCING: 'rebalancing',
    REQUEST_TIMEOUT: 'request_timeout',
  }
  readonly seek = jest.fn()
  readonly connect = async (): Promise<void> => {}
  readonly subscribe = async (): Promise<void> => {}
  readonly disconnect = async (): Promise<void> => {}
  eachBatch: EachBatch | undefined
  private readonly listeners: { readonly name: string; readonly call: (event: { payload: unknown }) => void }[] = []

  on(name: string, call: (event: { payload: unknown }) => void): void {
    this.listeners.push({ name, call })
  }

  emit(event: keyof FakeConsumer['events'], payload: unknown = {}): void {
    for (const { name, call } of this.listeners) if (name === this.events[event]) call({ payload })
  }

  async run({ eachBatch }: { readonly eachBatch: EachBatch }): Promise<void> {
    this.eachBatch = eachBatch
  }
}

/** What a reader uses of a Kafka that has one topic with one partition. */
export class FakeKafka {
  leader = 1
  readonly consumers: FakeConsumer[] = []
  readonly admin = {
    connect: async (): Promise<void> => {},
    disconnect: async (): Promise<void> => {},
    listTopics: async () => [this.topic],
    fetchTopicMetadata: async () => ({
      topics: [{ name: this.topic, partitions: [{ partitionId: 0, leader: this.leader }] }],
    }),
    fetchTopicOffsets: jest.fn(),
  }

  constructor(private readonly topic: string) {}

  readonly client = () => ({
    consumer: () => {
      const consumer = new FakeConsumer()
      this.consumers.push(consumer)
      return consumer
    },
  })

  /** What readers are made with. */
  readonly source = {
    client: this.client,
    admin: new KafkaAdmin(() => this.admin as unknown as Admin),
  } as unknown as Pick<ReaderOptions, 'client' | 'admin'>

  /** The first consumer, as soon as it runs. */
  running(): Promise<FakeConsumer> {
    return eventually(() => this.consumers.slice(0, 1).find(({ eachBatch }) => eachBatch))
  }
}
