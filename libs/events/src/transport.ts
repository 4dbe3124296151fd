import type { EventEnvelope, Topic } from '@holdfast/contracts/events'
import { TOPIC_OWNERS } from '@holdfast/contracts/topology'

/** Injection token of the `EventTransport`. */
export const EVENT_TRANSPORT = 'EVENT_TRANSPORT'

/**
 * How often a handler may fail on an event before the event becomes a dead letter and its partition goes on. Attempts that fail
 * because of an outage (`isOutage`) do not count: the event is tried again for as long as the outage lasts.
 */
export const MAX_FAILURES = 5

/** The waits after the first, the second, … attempt. The last one is also the wait after every later attempt. */
export const RETRY_DELAYS_MS = [500, 2_000, 8_000, 30_000] as const

/** The wait after an attempt of a process that does not know the event's type. It is short, so that a process that does gets the event soon. */
export const UNKNOWN_TYPE_RETRY_MS = 1_000

/**
 * How long an event of an unknown type waits at least. A rollout takes less. After that it becomes a dead letter, so that a release that
 * was rolled back goes on.
 */
export const UNKNOWN_TYPE_WAIT_MS = 10 * 60_000

/** A process that has met no event of a type for this time, as during an outage, begins the wait for the type again. */
export const UNKNOWN_TYPE_BREAK_MS = 60_000

/** How long a handler may take. One that takes longer counts as failed. */
export const HANDLER_TIMEOUT_MS = 30_000

/** An event as an outbox or a log holds it. Its payload is JSON text: the relay does not read it. */
export interface StoredEvent {
  readonly id: string
  readonly topic: Topic
  readonly key: string
  readonly type: string
  /** JSON text. */
  readonly payload: string
  readonly requestId: string | null
  readonly traceparent: string | null
  /** A time in a format that both PostgreSQL and Date accept. */
  readonly occurredAt: string
}

/** An event on its way to a handler. `attempt` counts from 1. */
export interface Delivery {
  readonly event: EventEnvelope
  readonly attempt: number
}

/** Resolves once the event's effect is committed; a rejection is tried again. */
export type DeliveryHandler = (delivery: Delivery) => Promise<void>

export interface GroupOptions {
  /** The consumer group: each event reaches one process of it. A new group begins at the oldest event. */
  readonly group: string
  readonly topics: readonly Topic[]
  /** The types that need no handling. A type that is not among them reaches the handler, even one that this release does not know. */
  readonly skips?: readonly string[]
  readonly handler: DeliveryHandler
}

export interface TailOptions {
  readonly topics: readonly Topic[]
  /** Called in order per key. An error of it is logged, and the event is not tried again. */
  readonly handler: (event: EventEnvelope) => void | Promise<void>
}

export interface Subscription {
  /** Claims nothing new, and resolves when the events in progress are handled. */
  close(): Promise<void>
}

/**
 * What became of an attempt: the event was handled, will be tried again because its handler failed or because of an outage,
 * or became a dead letter.
 */
export type EventOutcome = 'handled' | 'retried' | 'postponed' | 'dead_lettered'

/** What a group has not handled yet. */
export interface GroupLag {
  /** Events that are not handled yet, and the age of the oldest of them in seconds. */
  readonly events: number
  readonly oldestSeconds: number
  /** For how many seconds a partition has waited for an event whose attempts fail: the longest of all partitions. */
  readonly waitingSeconds: number
}

/**
 * Carries events between services: a log with topics, partitions and positions. Events of one key stay in order. Each is
 * delivered at least once, and has the same id at every delivery.
 */
export interface EventTransport {
  start(): Promise<void>
  /**
   * Resolves when the events of the batch are published. A crash that loses one of them also restores its outbox row.
   * Publishing an event again is harmless: its id is the same.
   * @throws ForeignTopicError when a topic belongs to another service
   */
  publish(batch: readonly StoredEvent[]): Promise<void>
  /** Handles every event of the topics once per group, in order per key, across restarts. */
  subscribe(options: GroupOptions): Promise<Subscription>
  /** Calls the handler for every event that is published from now on. Each process that tails gets every event. */
  tail(options: TailOptions): Promise<Subscription>
  lag(group: string): Promise<GroupLag>
  /** Closes every subscription and every connection. */
  stop(): Promise<void>
}

/** A service tried to write a topic it does not own. */
export class ForeignTopicError extends Error {
  override readonly name = 'ForeignTopicError'
  constructor(service: string, topic: string) {
    super(`${service} may not publish to ${topic}: only a topic's owner writes it`)
  }
}

/** @throws ForeignTopicError when one of the events is of a topic that the service does not own */
export function refuseForeignTopics(batch: readonly StoredEvent[], service: string): void {
  for (const { topic } of batch) if (TOPIC_OWNERS[topic] !== service) throw new ForeignTopicError(service, topic)
}

/** The event's type is that of a newer release: it waits until a process of that release handles it. */
export class UnknownTypeError extends Error {
  override readonly name = 'UnknownTypeError'
}

/** An event that no attempt can handle, such as one whose payload is invalid: it goes to the dead letters at once. */
export class PoisonEventError extends Error {
  override readonly name = 'PoisonEventError'
}
