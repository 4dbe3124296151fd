import type { EventEnvelope, Topic } from '@holdfast/contracts/events'

/** Injection token of the `EventTransport`, for who tails events or asks for lag. */
export const EVENT_TRANSPORT = 'EVENT_TRANSPORT'

/** Attempts at handing an event to a handler before it goes to the dead letters and its partition moves on. */
export const MAX_ATTEMPTS = 5

/** Waits between the attempts: about 40 s in all, so that a neighbour's restart does not bury an event. */
export const RETRY_DELAYS_MS = [500, 2_000, 8_000, 30_000] as const

/** How long a handler may take. What lasts longer counts as failed. */
export const HANDLER_TIMEOUT_MS = 30_000

/** An event as it lies in an outbox or a log: its payload is JSON text still, since no relay needs to look inside. */
export interface StoredEvent {
  readonly id: string
  readonly topic: Topic
  readonly key: string
  readonly type: string
  /** JSON text. */
  readonly payload: string
  readonly requestId: string | null
  readonly traceparent: string | null
  /** A time PostgreSQL and Date both read. */
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
  /** Whose place in the log it is: each event reaches one process of the group. A new group begins at the oldest event. */
  readonly group: string
  readonly topics: readonly Topic[]
  /** The types wanted; others are passed over without being fetched. Everything when left out. */
  readonly types?: readonly string[]
  readonly handler: DeliveryHandler
}

export interface TailOptions {
  readonly topics: readonly Topic[]
  /** Called in order per key. What it throws is logged: a tail has no memory and nothing is tried again. */
  readonly handler: (event: EventEnvelope) => void | Promise<void>
}

export interface Subscription {
  /** Claims nothing new, finishes what is in flight, and gives up its place. */
  close(): Promise<void>
}

/** How far a group is behind: events not handled yet, and the age of the oldest of them in seconds. */
export interface GroupLag {
  readonly events: number
  readonly oldestSeconds: number
}

/**
 * What carries events between services: a log with topics, partitions and positions. Events of one key stay in order;
 * each is delivered at least once, and a redelivery bears the same id.
 */
export interface EventTransport {
  start(): Promise<void>
  /**
   * Resolves when no event of the batch can be lost any more, unless its outbox row comes back with the same crash.
   * Publishing an event again is harmless: its id is the same.
   * @throws ForeignTopicError when a topic belongs to another service
   */
  publish(batch: readonly StoredEvent[]): Promise<void>
  /** Handles every event of the topics once per group, in order per key, across restarts. */
  subscribe(options: GroupOptions): Promise<Subscription>
  /** Sees everything that is published from now on, in this process, whatever other processes see. */
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

/** An event that no attempt will ever handle, such as a payload unlike its schema: it goes to the dead letters at once. */
export class PoisonEventError extends Error {
  override readonly name = 'PoisonEventError'
}
