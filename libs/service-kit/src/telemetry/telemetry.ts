import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

// Auto-instrumentation takes a third of the throughput, even without sampling. So every span is made by hand, and only
// when there is a collector (ADR 11).
let enabled = false
let shutDown: () => Promise<void> = async () => {}

const tracer = () => trace.getTracer('holdfast')

/** Whether spans are exported. */
export const tracing = (): boolean => enabled

/**
 * Starts to export traces when an endpoint is given; otherwise the SDK is not loaded. The sampler follows the standard
 * OTEL_TRACES_SAMPLER variables. While the collector is unreachable, spans are lost and requests are not affected.
 */
export async function startTelemetry(service: string, endpoint: string | undefined): Promise<void> {
  if (!endpoint) return
  const { startTracing } = await import('./tracing.js')
  shutDown = startTracing(service, endpoint)
  enabled = true
}

/** Exports the last spans, and stops. Never rejects. */
export const stopTelemetry = (): Promise<void> => shutDown()

type Carrier = Readonly<Record<string, unknown>>

export interface SpanOptions {
  readonly kind?: SpanKind
  readonly attributes?: Attributes
  /** The W3C headers of the request or event. Without them the active span is the parent. */
  readonly parent?: Carrier
}

/**
 * Runs the work in a span. The span ends with the work and records its error. `span` is null when tracing is off.
 */
export function withSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | null) => T | Promise<T>,
): T | Promise<T> {
  if (!enabled) return work(null)
  const parent = options.parent ? propagation.extract(ROOT_CONTEXT, options.parent) : context.active()
  const { kind = SpanKind.INTERNAL, attributes = {} } = options
  return tracer().startActiveSpan(name, { kind, attributes }, parent, async span => {
    try {
      return await work(span)
    } catch (error) {
      span.recordException(error instanceof Error ? error : String(error))
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}

/** The id of the current trace. */
export function currentTraceId(): string | undefined {
  return enabled ? trace.getActiveSpan()?.spanContext().traceId : undefined
}

/** The `traceparent` header of the current span; undefined when tracing is off. */
export function currentTraceparent(): string | undefined {
  if (!enabled) return undefined
  const carrier: Record<string, string> = {}
  propagation.inject(context.active(), carrier)
  return carrier.traceparent
}
