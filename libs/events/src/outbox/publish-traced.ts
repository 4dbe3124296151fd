import { continueTrace, failSpan, type Span, SpanKind } from '@holdfast/service-kit/telemetry/telemetry'
import { traceparentOf } from '@holdfast/service-kit/telemetry/traceparent'
import type { EventTransport, StoredEvent } from '../transport.js'

/** Publishes events. Each has a span in the trace of the command that wrote it, and the spans of its handlers are in that span. */
export async function publishTraced(transport: EventTransport, events: readonly StoredEvent[]): Promise<void> {
  const spans: Span[] = []
  const traced = events.map(event => {
    if (event.traceparent === null) return event
    const span = continueTrace(event.traceparent, `publish ${event.type}`, {
      kind: SpanKind.PRODUCER,
      attributes: {
        'messaging.operation.type': 'send',
        'messaging.destination.name': event.topic,
        'messaging.message.id': event.id,
        'messaging.batch.message_count': events.length,
      },
    })
    if (!span) return event
    spans.push(span)
    return { ...event, traceparent: traceparentOf(span.spanContext()) }
  })
  try {
    await transport.publish(traced)
  } catch (error) {
    for (const span of spans) failSpan(span, error)
    throw error
  } finally {
    for (const span of spans) span.end()
  }
}
