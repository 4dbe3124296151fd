import type { Topic } from '@holdfast/contracts/events'
import { SERVICES } from '@holdfast/contracts/topology'
import { DEADLOCK, SERIALIZATION_FAILURE, UNIQUE_VIOLATION } from '@holdfast/service-kit/database/database-trouble'
import { untilDatabaseAnswers } from '@holdfast/service-kit/database/database-wait'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import pg from 'pg'
import { connectionConfig, eventsPool } from '../connection.js'
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
import { CLAIMS_AT_ONCE, LogGroup } from './log-group.js'
import { LogListener } from './log-listener.js'
import { LogReplay } from './log-replay.js'
import { CREATE_CURSORS, DROP_READERS, FORGET, LAG, PUBLISH } from './log-statements.js'
import { LogTail } from './log-tail.js'

/** How long the log keeps an event that every group has read. */
const LOG_DAYS = 7

/**
 * A group that the topology does not name is dropped when it has read nothing for this long, and so is a group's cursor on a
 * topic that it reads no more. Events of a topic that no group reads are kept for this long. Without this limit the log would
 * keep such events for ever. A group that comes back begins at the oldest event that is kept.
 */
export const READER_DAYS = 30

/** The log is cleaned this often. One pass deletes a limited number of events, so that it stays short. */
const CLEANING_MS = 60_000
const EVENTS_PER_CLEANING = 20_000

/** When two relays publish the same events at once, PostgreSQL refuses one. Its second attempt finds the events present. */
const PUBLISH_ATTEMPTS = 5
const RACED = new Set([UNIQUE_VIOLATION, DEADLOCK, SERIALIZATION_FAILURE])

const IDLE_CONNECTION_MS = 60_000
const PUBLISHING_CONNECTIONS = 1
/** Each claim and a replay hold a connection for as long as handlers take. One more is for what is short, such as the lag. */
const READING_CONNECTIONS = CLAIMS_AT_ONCE + 2
/** The connections of a transport: those, and the one that listens. */
export const TRANSPORT_CONNECTIONS = PUBLISHING_CONNECTIONS + READING_CONNECTIONS + 1

/**
 * Makes the planner use the log's indexes. Otherwise a plan that was made while the log was empty would scan the whole
 * table at every read until the next ANALYZE.
 */
const BY_INDEX = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
}

export interface EmbeddedOptions {
  readonly databaseUrl: string
  /** The service that publishes and reads. It may write the topics it owns. */
  readonly service: string
  readonly retryDelaysMs?: readonly number[]
  /** Counts what became of a group's attempts. */
  readonly onOutcome?: (group: string, outcome: EventOutcome) => void
  /** False for a process whose role may not delete old events, such as one that only reads. */
  readonly cleans?: boolean
}

/** The log on PostgreSQL: topics, partitions, positions and cursors as Kafka has them, in the schema `events`. */
export class EmbeddedTransport implements EventTransport {
  private readonly logger = loggerOf('embedded-log')
  private readonly publishing: pg.Pool
  private readonly reading: pg.Pool
  private readonly listener: LogListener
  private readonly subscriptions = new Set<Subscription>()
  private readonly topicsByGroup = new Map<string, readonly Topic[]>()
  private cleaning: NodeJS.Timeout | undefined

  constructor(private readonly options: EmbeddedOptions) {
    // Commits here do not wait for the disk (synchronous_commit is off). When a crash loses a cursor's progress, events are
    // delivered again. When it loses a published event, it also loses the later deletion of its outbox row, since both are
    // in the same write-ahead log, so the event is published again. A handler's own commit waits for the disk, and the
    // event it handled precedes it in that log.
    this.publishing = this.pool('publish', PUBLISHING_CONNECTIONS, { ...BY_INDEX, synchronous_commit: 'off' })
    this.reading = this.pool('events', READING_CONNECTIONS, { ...BY_INDEX, synchronous_commit: 'off' })
    this.listener = new LogListener(options.databaseUrl, options.service)
  }

  async start(): Promise<void> {
    await this.listener.start()
    if (this.options.cleans === false) return
    this.cleaning = setInterval(() => void this.clean(), CLEANING_MS)
    this.cleaning.unref()
  }

  async publish(batch: readonly StoredEvent[]): Promise<void> {
    refuseForeignTopics(batch, this.options.service)
    // The statement ignores ids that are in the log, but not duplicates within the batch.
    const values = PUBLISH.values([...new Map(batch.map(event => [event.id, event])).values()])
    const { name, text } = PUBLISH
    for (let attempt = 1; ; attempt++) {
      try {
        await this.publishing.query({ name, text, values })
        return
      } catch (error) {
        const raced = error instanceof pg.DatabaseError && RACED.has(error.code ?? '')
        if (!raced || attempt === PUBLISH_ATTEMPTS) throw error
      }
    }
  }

  async subscribe(options: GroupOptions): Promise<Subscription> {
    await untilDatabaseAnswers(() => this.reading.query(CREATE_CURSORS, [options.group, options.topics]))
    this.topicsByGroup.set(options.group, options.topics)
    const { onOutcome, retryDelaysMs = RETRY_DELAYS_MS } = this.options
    const group = new LogGroup(this.reading, {
      ...options,
      retryDelaysMs,
      onOutcome: outcome => onOutcome?.(options.group, outcome),
    })
    const replay = new LogReplay(this.reading, options.group, options.handler, retryDelaysMs.at(-1) ?? 0)
    group.start()
    replay.start()
    return this.keep([group, replay], payload => {
      if (payload === null || options.topics.some(topic => topic === payload)) group.wake()
      if (payload === null || payload === `replay:${options.group}`) replay.wake()
    })
  }

  async tail(options: TailOptions): Promise<Subscription> {
    const tail = new LogTail(this.reading, options)
    await tail.start()
    return this.keep([tail], payload => {
      if (payload === null || options.topics.some(topic => topic === payload)) tail.wake()
    })
  }

  async lag(group: string): Promise<GroupLag> {
    return (await this.reading.query<GroupLag>(LAG, [group])).rows[0]!
  }

  async stop(): Promise<void> {
    clearInterval(this.cleaning)
    await Promise.all([...this.subscriptions].map(subscription => subscription.close()))
    await this.listener.stop()
    await Promise.all([this.publishing.end(), this.reading.end()])
  }

  /** Deletes old events that every group has read, or that no group reads. A failure is logged, and the next pass tries again. */
  async clean(): Promise<number> {
    try {
      await this.dropReaders()
      const { rows } = await this.reading.query<{ count: number }>(FORGET, [LOG_DAYS, READER_DAYS, EVENTS_PER_CLEANING])
      return rows[0]!.count
    } catch (error) {
      this.logger.warn({ err: error }, 'the log could not be cleaned')
      return 0
    }
  }

  /** Drops the cursors of readers that no longer exist. A service whose handlers are not subscribed yet drops none of its own. */
  private async dropReaders(): Promise<void> {
    const readers = this.topicsByGroup.size > 0 ? [...this.topicsByGroup] : [['', []] as const]
    for (const [group, topics] of readers) {
      const values = [SERVICES, group, topics, READER_DAYS]
      const { rows } = await this.reading.query<{ group: string; topic: Topic }>(DROP_READERS, values)
      for (const row of rows)
        this.logger.warn(
          { ...row, days: READER_DAYS },
          'a reader of the log was dropped, because it has read nothing for this many days',
        )
    }
  }

  private keep(readers: readonly Subscription[], listener: (payload: string | null) => void): Subscription {
    const stopListening = this.listener.add(listener)
    const subscription = {
      close: async () => {
        stopListening()
        this.subscriptions.delete(subscription)
        await Promise.all(readers.map(reader => reader.close()))
      },
    }
    this.subscriptions.add(subscription)
    return subscription
  }

  private pool(purpose: string, max: number, settings: Record<string, string>): pg.Pool {
    const { databaseUrl, service } = this.options
    const config = connectionConfig(databaseUrl, `${service}-${purpose}`, settings)
    return eventsPool({ ...config, max, idleTimeoutMillis: IDLE_CONNECTION_MS }, this.logger)
  }
}
