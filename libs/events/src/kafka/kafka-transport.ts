import type { Topic } from '@holdfast/contracts/events'
import { TOPIC_OWNERS } from '@holdfast/contracts/topology'
import { pause } from '@holdfast/service-kit/lifecycle/waiting'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import {
  type EventOutcome,
  type EventTransport,
  type GroupLag,
  type GroupOptions,
  RETRY_DELAYS_MS,
  refuseForeignTopics,
  type StoredEvent,
  type Subscription,
  type TailOptions,
} from '../transport.js'
import { isWorthLogging, reconnectDelay } from '../wakeup.js'
import { KafkaAdmin } from './kafka-admin.js'
import { askAgain, FEW_ATTEMPTS, type KafkaSettings, kafkaClient } from './kafka-client.js'
import { KafkaDeadLetters } from './kafka-dead-letters.js'
import { KafkaGroup } from './kafka-group.js'
import { lagOf } from './kafka-lag.js'
import { KafkaProducer } from './kafka-producer.js'
import { KafkaTail } from './kafka-tail.js'
import { createTopics } from './kafka-topics.js'

export interface KafkaOptions {
  readonly kafka: KafkaSettings
  /** The database that holds the dead letters. */
  readonly databaseUrl: string
  /** The service that publishes and reads. It creates and writes the topics it owns. */
  readonly service: string
  readonly retryDelaysMs?: readonly number[]
  readonly sessionMs?: number
  /** Counts what became of a group's attempts. */
  readonly onOutcome?: (group: string, outcome: EventOutcome) => void
}

/**
 * Events on Kafka. Everything waits for a broker that is away, and goes on when it is back: a service starts without it, and keeps its
 * events in the outbox meanwhile.
 */
export class KafkaTransport implements EventTransport {
  private readonly logger = loggerOf('kafka')
  private readonly producer: KafkaProducer
  private readonly admin: KafkaAdmin
  private readonly subscriptions = new Set<Subscription>()
  private readonly groups = new Map<string, { readonly reader: KafkaGroup; readonly topics: readonly Topic[] }>()
  private readonly stopping = new AbortController()

  constructor(private readonly options: KafkaOptions) {
    const { kafka, service } = options
    this.producer = new KafkaProducer(kafka, service)
    this.admin = new KafkaAdmin(() => kafkaClient(kafka, service, FEW_ATTEMPTS).admin())
  }

  /** Begins to create the service's topics, and does not wait for it. */
  async start(): Promise<void> {
    void this.createTopics()
  }

  async publish(batch: readonly StoredEvent[]): Promise<void> {
    refuseForeignTopics(batch, this.options.service)
    await this.producer.send(batch)
  }

  /**
   * Resolves after the first attempt to reach the database of the dead letters. The events are read as soon as Kafka answers and the
   * topics exist.
   */
  async subscribe(options: GroupOptions): Promise<Subscription> {
    const { onOutcome, retryDelaysMs = RETRY_DELAYS_MS, databaseUrl, service } = this.options
    const { group, handler, topics } = options
    const settings = {
      ...options,
      retryDelaysMs,
      onOutcome: (outcome: EventOutcome) => onOutcome?.(group, outcome),
    }
    const database = { url: databaseUrl, name: `${service}-dead-letters` }
    const deadLetters = new KafkaDeadLetters(database, group, handler, retryDelaysMs.at(-1) ?? 0)
    const reader = new KafkaGroup(this.source, settings, deadLetters)
    this.groups.set(group, { reader, topics })
    await deadLetters.start()
    reader.start()
    return this.keep(async () => {
      await reader.close()
      await deadLetters.close()
    })
  }

  /** @throws when Kafka does not answer */
  async tail(options: TailOptions): Promise<Subscription> {
    const tail = new KafkaTail(this.source, this.options.service, options)
    await tail.start()
    return this.keep(() => tail.close())
  }

  /** `waitingSeconds` is that of the partitions of this process; the other values are those of the group. */
  async lag(group: string): Promise<GroupLag> {
    const { reader, topics } = this.groups.get(group) ?? { reader: undefined, topics: undefined }
    const lag = await askAgain(() => this.admin.use(admin => lagOf(admin, group, topics)))
    return { ...lag, waitingSeconds: reader?.waitingSeconds ?? 0 }
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await Promise.all([...this.subscriptions].map(subscription => subscription.close()))
    await Promise.all([this.producer.stop(), this.admin.close()])
  }

  private get source() {
    const { kafka, service, sessionMs } = this.options
    return { client: () => kafkaClient(kafka, service), admin: this.admin, ...(sessionMs && { sessionMs }) }
  }

  private keep(close: () => Promise<void>): Subscription {
    const subscription = {
      close: async () => {
        this.subscriptions.delete(subscription)
        await close()
      },
    }
    this.subscriptions.add(subscription)
    return subscription
  }

  private async createTopics(): Promise<void> {
    const { kafka, service } = this.options
    const owned = (Object.keys(TOPIC_OWNERS) as Topic[]).filter(topic => TOPIC_OWNERS[topic] === service)
    const { signal } = this.stopping
    for (let failures = 0; owned.length > 0 && !signal.aborted; failures++) {
      try {
        return await this.admin.use(admin => createTopics(admin, owned, kafka))
      } catch (error) {
        if (isWorthLogging(failures)) this.logger.warn({ err: error, topics: owned }, 'topics cannot be created yet')
        await pause(reconnectDelay(failures), signal)
      }
    }
  }
}
