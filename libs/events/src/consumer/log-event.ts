import type { EventEnvelope, Topic } from '@holdfast/contracts/events'

/** A row of the log as pg returns it. */
export interface LogRow {
  readonly topic: Topic
  readonly partition: number
  /** bigint, which pg returns as text. */
  readonly position: string
  readonly id: string
  readonly key: string
  readonly type: string
  readonly payload: unknown
  readonly request_id: string | null
  readonly traceparent: string | null
  readonly occurred_at: Date
}

/** The event of a row. Its payload is not checked here: the reader parses it. */
export function eventOf(row: Omit<LogRow, 'partition' | 'position'>): EventEnvelope {
  return {
    id: row.id,
    type: row.type,
    topic: row.topic,
    key: row.key,
    payload: row.payload,
    occurredAt: row.occurred_at.toISOString(),
    ...(row.request_id !== null && { requestId: row.request_id }),
    ...(row.traceparent !== null && { traceparent: row.traceparent }),
  }
}
