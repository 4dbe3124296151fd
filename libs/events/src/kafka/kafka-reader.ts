import type { Topic } from '@holdfast/contracts/events'
import { isDoneWithin, pause } from '@holdfast/service-kit/lifecycle/waiting'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type { Consumer, EachBatchPayload, IMemberAssignment, Kafka } from 'kafkajs'
import { isWorthLogging, reconnectDelay } from '../wakeup.js'
import type { KafkaAdmin } from './kafka-admin.js'
import { CLOSE_MS, retryOf } from './kafka-client.js'
import { readableTopics } from './kafka-topics.js'

/** How often a reader looks for the topics that it did not find. */
const TOPICS_POLL_MS = 2_000

/** How long a fetch waits for events. */
const FETCH_WAIT_MS = 500
/** Batches of different partitions that are handed over at the same time. */
const BATCHES_AT_ONCE = 8

/** A member that is silent for the first of these loses its partitions. */
const SESSION_MS = 10_000
const HEARTBEAT_MS = 1_000
/** A consumer that has not fetched for this long, without an error, is replaced. A rebalance takes less. */
const SILENCE_MS = 60_000
/** How long a rebalance waits for the members that are alive. */
const REBALANCE_MS = 15_000

/** A healthy broker answers these at once. It may answer others late, such as JoinGroup. */
const PROMPT_REQUESTS = ['ApiVersions', 'Fetch']
/**
 * A consumer that has read for this long since the last join worked. After one that did not, the next one follows later and later, since every
 * one that joins or leaves makes the whole group share out its partitions again.
 */
const WORKED_MS = 15_000

export interface ReaderOptions {
  /** A new client for each consumer: those of one client share offsets. */
  readonly client: () => Kafka
  readonly admin: KafkaAdmin
  readonly group: string
  readonly topics: readonly Topic[]
  readonly sessionMs?: number
  readonly silenceMs?: number
  /** The reader has joined the group and got these partitions. It is called before anything is read from them. */
  readonly onJoin: (consumer: Consumer, assignment: IMemberAssignment) => void
  /** The partitions may be given to others: nothing more of them should be begun. */
  readonly onLeaving?: () => void
  /** The consumer is about to be closed, and a new one may follow: resolves when the events in progress are handled. */
  readonly onClosing?: () => Promise<void>
  readonly onBatch: (payload: EachBatchPayload) => Promise<void>
}

/**
 * Reads topics as a member of a consumer group, and goes on until it is closed. kafkajs ends a consumer for good when it takes an
 * error for one that will not pass, and says so only in an event. Here every consumer that ends or stops fetching is followed by a new
 * one. Topics that do not exist yet are read as soon as they do.
 */
export class KafkaReader {
  private readonly logger = loggerOf('kafka-reader')
  private readonly closing = new AbortController()
  private running: Promise<void> | undefined
  private endConsumer = (): void => {}
  private failures = 0
  private joinedAtMs = Number.POSITIVE_INFINITY

  constructor(private readonly options: ReaderOptions) {}

  start(): void {
    this.running = this.run()
  }

  /** Begins no further event, and resolves when those in progress are handled and the group knows that this member has left. */
  async close(): Promise<void> {
    this.closing.abort()
    this.endConsumer()
    await this.running
  }

  private async run(): Promise<void> {
    const { group } = this.options
    while (!this.isClosing) {
      try {
        await this.readOnce()
      } catch (error) {
        if (performance.now() - this.joinedAtMs > WORKED_MS) this.failures = 0
        if (isWorthLogging(this.failures))
          this.logger.warn({ err: error, group }, 'events cannot be read; a new consumer follows')
        await pause(reconnectDelay(this.failures++), this.closing.signal)
      }
    }
  }

  private get isClosing(): boolean {
    return this.closing.signal.aborted
  }

  /** Reads with one consumer, until it fails, until more of the topics exist, or until this reader closes. */
  private async readOnce(): Promise<void> {
    const { admin, topics, group } = this.options
    this.joinedAtMs = Number.POSITIVE_INFINITY
    const found = await admin.use(each => readableTopics(each, topics))
    const missing = topics.filter(topic => !found.includes(topic))
    if (missing.length > 0) this.logger.info({ group, missing }, 'topics do not exist yet; they are read when they do')
    if (found.length === 0) return this.untilReadable(missing, this.closing.signal)
    if (this.isClosing) return
    const consumer = this.consumer()
    const ended = new AbortController()
    this.endConsumer = () => ended.abort()
    const crashed = new Promise<never>((_, reject) => {
      consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error))
      // kafkajs asks the same broker up to 20 times, although another one may lead the partition or coordinate the group by now.
      consumer.on(consumer.events.REQUEST_TIMEOUT, ({ payload: { broker, apiName } }) => {
        if (PROMPT_REQUESTS.includes(apiName)) reject(new Error(`${broker} has not answered ${apiName}`))
      })
      // When joining again fails, as while the new coordinator loads the group, kafkajs goes on fetching its old partitions and reports no
      // error. The handling of events has stopped at REBALANCING, so nothing would be handled any more.
      let mustJoin = false
      consumer.on(consumer.events.REBALANCING, () => {
        mustJoin = true
      })
      consumer.on(consumer.events.GROUP_JOIN, () => {
        mustJoin = false
      })
      consumer.on(consumer.events.FETCH, () => {
        if (mustJoin) reject(new Error('the consumer fetches without having joined the group again'))
      })
    })
    const begun = this.begin(consumer, found, ended.signal)
    try {
      const more = begun.then(() => this.untilReadable(missing, ended.signal))
      await Promise.race([more, crashed, this.untilSilent(consumer, ended.signal), aborted(ended.signal)])
    } finally {
      ended.abort()
      await this.options.onClosing?.()
      await this.end(consumer, begun)
    }
  }

  private consumer(): Consumer {
    const { client, group, sessionMs = SESSION_MS } = this.options
    return client().consumer({
      groupId: group,
      sessionTimeout: sessionMs,
      heartbeatInterval: HEARTBEAT_MS,
      rebalanceTimeout: REBALANCE_MS,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      allowAutoTopicCreation: false,
      retry: { ...retryOf(), restartOnFailure: async () => false },
    })
  }

  /**
   * Lets a consumer read. After the signal it still joins the group at a rebalance and fetches, until it is closed. Nothing more is
   * begun with it then: nobody would wait for those events.
   */
  private async begin(consumer: Consumer, topics: Topic[], ended: AbortSignal): Promise<void> {
    const { onJoin, onLeaving, onBatch, group } = this.options
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      if (ended.aborted) return
      this.joinedAtMs = performance.now()
      this.logger.info({ group, assignment: payload.memberAssignment }, 'the partitions of this process')
      onJoin(consumer, payload.memberAssignment)
    })
    consumer.on(consumer.events.REBALANCING, () => {
      if (!ended.aborted) onLeaving?.()
    })
    await consumer.connect()
    await consumer.subscribe({ topics, fromBeginning: true })
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: BATCHES_AT_ONCE,
      eachBatch: async payload => (ended.aborted ? void payload.pause() : onBatch(payload)),
    })
  }

  /**
   * Closes a consumer. One that is closed before it has begun would begin nevertheless, and go on for ever. So this waits for its
   * beginning, and when that takes long, as without a broker, the closing goes on in the background.
   */
  private async end(consumer: Consumer, begun: Promise<void>): Promise<void> {
    const closed = begun
      .catch(() => undefined)
      .then(() => consumer.disconnect())
      .catch((error: unknown) => this.logger.debug({ err: error }, 'a consumer was not closed properly'))
    await isDoneWithin(CLOSE_MS, closed)
  }

  /**
   * Rejects when the consumer has fetched nothing, or has sent no heartbeat, for too long; resolves when the signal aborts. A consumer that
   * the group has forgotten, and whose attempt to join again has failed, fetches on and sends none: another member has its partitions.
   */
  private async untilSilent(consumer: Consumer, signal: AbortSignal): Promise<void> {
    const { silenceMs = SILENCE_MS } = this.options
    const { FETCH, HEARTBEAT, GROUP_JOIN } = consumer.events
    let [fetchedAt, beatAt] = [performance.now(), performance.now()]
    consumer.on(FETCH, () => {
      fetchedAt = performance.now()
    })
    consumer.on(HEARTBEAT, () => {
      beatAt = performance.now()
    })
    // A member that has just joined gets the whole time for the first of each.
    consumer.on(GROUP_JOIN, () => {
      fetchedAt = beatAt = performance.now()
    })
    while (!signal.aborted) {
      const lastAt = Math.min(fetchedAt, beatAt)
      if (performance.now() - lastAt > silenceMs)
        throw new Error(
          `the consumer has ${lastAt === fetchedAt ? 'not fetched' : 'sent no heartbeat'} for ${silenceMs} ms`,
        )
      await pause(silenceMs / 4, signal)
    }
  }

  /** Resolves when one of the topics can be read or when the signal aborts; for no topics only then. */
  private async untilReadable(missing: readonly Topic[], signal: AbortSignal): Promise<void> {
    if (missing.length === 0) return aborted(signal)
    const { admin, group } = this.options
    let failures = 0
    while (!signal.aborted) {
      await pause(TOPICS_POLL_MS, signal)
      try {
        if ((await admin.use(each => readableTopics(each, missing))).length > 0) return
        failures = 0
      } catch (error) {
        if (isWorthLogging(failures++))
          this.logger.warn({ err: error, group, missing }, 'Kafka does not say whether topics exist; asking again')
      }
    }
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
