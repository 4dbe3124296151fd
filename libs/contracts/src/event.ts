import type { z } from 'zod'
import type { Topic } from './topology.js'

/** The key of an event is the id of its aggregate. Events of one key are read in order. */
export interface EventDefinition<P extends z.ZodType = z.ZodType> {
  readonly type: `${Topic}.${string}.v${number}`
  readonly topic: Topic
  readonly payload: P
}

/** Defines an event. The type's name begins with its topic. */
export const define = <const T extends `${Topic}.${string}.v${number}`, P extends z.ZodType>(
  topic: Topic,
  type: T,
  payload: P,
) => ({ type, topic, payload })

export type PayloadOf<E> = E extends { payload: infer P extends z.ZodType } ? z.output<P> : never

/** An event as a transport carries it. */
export interface EventEnvelope<P = unknown> {
  /** UUIDv7; the same at every delivery. */
  readonly id: string
  readonly type: string
  readonly topic: Topic
  /** The aggregate's id as text: it decides the partition. */
  readonly key: string
  readonly payload: P
  readonly occurredAt: string
  readonly requestId?: string
  readonly traceparent?: string
}
