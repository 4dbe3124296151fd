import type { Topic } from '@holdfast/contracts/events'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type { IHeaders, KafkaMessage, Message } from 'kafkajs'
import type { LogRow } from '../consumer/log-event.js'
import { EVENT_ID } from '../outbox/event.js'
import type { StoredEvent } from '../transport.js'

/** An event as Kafka keeps it: its payload is the value, everything else a header. */
export const messageOf = (event: StoredEvent): Message => ({
  key: event.key,
  value: event.payload,
  headers: {
    id: event.id,
    type: event.type,
    occurredAt: event.occurredAt,
    ...(event.requestId !== null && { requestId: event.requestId }),
    ...(event.traceparent !== null && { traceparent: event.traceparent }),
  },
})

/** The type of a message's event; undefined when the message is no event of ours. */
export const typeOf = ({ headers }: KafkaMessage): string | undefined => header(headers, 'type')

/** The row of a message; null when the message is no event of ours, which is logged. A value that is no JSON becomes a payload of text. */
export function rowOf(topic: string, partition: number, message: KafkaMessage): LogRow | null {
  const { key, value, headers, offset } = message
  const id = header(headers, 'id')
  const type = header(headers, 'type')
  const occurredAt = new Date(header(headers, 'occurredAt') ?? Number.NaN)
  if (!id || !EVENT_ID.test(id) || !type || !key || !value || Number.isNaN(occurredAt.getTime())) {
    loggerOf('kafka').error({ topic, partition, offset }, 'a message that is no event of ours was skipped')
    return null
  }
  return {
    topic: topic as Topic,
    partition,
    position: offset,
    id,
    key: key.toString(),
    type,
    payload: parsed(value.toString()),
    request_id: header(headers, 'requestId') ?? null,
    traceparent: header(headers, 'traceparent') ?? null,
    occurred_at: occurredAt,
  }
}

const header = (headers: IHeaders | undefined, name: string): string | undefined => headers?.[name]?.toString()

/** The schema of the event refuses a text, so an event with such a payload becomes a dead letter. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
