import { newId } from '@holdfast/kernel/ids'
import {
  beginTrace,
  currentTraceparent,
  startTelemetry,
  stopTelemetry,
  withSpan,
} from '@holdfast/service-kit/telemetry/telemetry'
import type { EventTransport, StoredEvent } from '../transport.js'
import { publishTraced } from './publish-traced.js'

const eventOf = (traceparent: string | null): StoredEvent => ({
  id: newId(),
  topic: 'escrow.transaction',
  key: '1',
  type: 'escrow.transaction.completed.v1',
  payload: '{}',
  requestId: null,
  traceparent,
  occurredAt: '2026-11-25T12:00:00Z',
})

/** A transport that keeps what it is given, or refuses it. */
function transport(refusal?: Error) {
  const published: StoredEvent[] = []
  const publish = async (batch: readonly StoredEvent[]): Promise<void> => {
    if (refusal) throw refusal
    published.push(...batch)
  }
  return { published, transport: { publish } as unknown as EventTransport }
}

describe('events that are published', () => {
  beforeAll(() =>
    // Nothing listens there, so the spans are lost.
    startTelemetry('escrow-svc', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_TRACES_SAMPLER_ARG: 1 }),
  )
  afterAll(stopTelemetry)

  it('stay in the trace of their command, below the span of their publishing; others are published as they are', async () => {
    const traceparent = await withSpan(beginTrace(newId(), 'a command'), async () => currentTraceparent()!)
    const [recorded, unrecorded] = [eventOf(traceparent), eventOf(null)]
    const log = transport()
    await publishTraced(log.transport, [recorded, unrecorded])
    const [first, second] = log.published
    expect(second).toBe(unrecorded)
    expect({ ...first, traceparent }).toEqual(recorded)
    const [, traceId, spanId] = first!.traceparent!.split('-')
    expect(traceId).toBe(traceparent.split('-')[1])
    expect(spanId).not.toBe(traceparent.split('-')[2])
  })

  it('are refused as without a trace', async () => {
    const refusal = new Error('no broker')
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    await expect(publishTraced(transport(refusal).transport, [eventOf(traceparent)])).rejects.toBe(refusal)
  })
})
