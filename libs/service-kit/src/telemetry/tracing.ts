import {
  type Attributes,
  context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanKind,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  RandomIdGenerator,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base'
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { counter } from './metrics.js'

const EXPORT_TIMEOUT_MS = 5_000
/** The most spans that wait for the collector. Further ones are dropped. */
const MAX_QUEUED_SPANS = 2_048

const exported = counter('telemetry_exported_spans_total', 'Spans by whether the collector has taken them', ['outcome'])

export interface SpanOptions {
  /** Internal when left out. */
  readonly kind?: SpanKind
  /** No personal data and no secrets: whoever may see traces need not be allowed to see those. */
  readonly attributes?: Attributes
}

/** The part of OpenTelemetry's SDK that spans by hand need. */
export interface Tracing {
  /** Whether a trace that begins here is recorded. It follows from the trace's id alone. */
  isRecorded(traceId: string): boolean
  begin(traceId: string, name: string, options: SpanOptions): Span
  child(parent: SpanContext, name: string, options: SpanOptions): Span
  /** Exports the spans that wait, and stops. */
  shutDown(): Promise<void>
}

/** Exports over OTLP, and counts what becomes of the spans. */
class CountingExporter extends OTLPTraceExporter {
  override export(...[spans, done]: Parameters<OTLPTraceExporter['export']>): void {
    super.export(spans, result => {
      exported.inc({ outcome: result.error === undefined ? 'taken' : 'lost' }, spans.length)
      done(result)
    })
  }
}

/**
 * Loads and starts the SDK. Imported only when there is a collector.
 *
 * The SDK's own sampler is not asked: for a trace that is not recorded we make no span object at all, so such a request costs next to
 * nothing.
 */
export function startTracing(service: string, endpoint: string, share: number): Tracing {
  const exporter = new CountingExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  })
  const random = new RandomIdGenerator()
  let nextTraceId: string | undefined
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'holdfast' }),
    spanProcessors: [new BatchSpanProcessor(exporter, { maxQueueSize: MAX_QUEUED_SPANS })],
    sampler: new AlwaysOnSampler(),
    idGenerator: {
      generateTraceId: () => nextTraceId ?? random.generateTraceId(),
      generateSpanId: () => random.generateSpanId(),
    },
  })
  // This sets the context manager, by which spans are active across an await.
  provider.register({ propagator: null })
  const tracer = provider.getTracer('holdfast')
  const sampler = new TraceIdRatioBasedSampler(share)
  return {
    isRecorded: traceId => sampler.shouldSample(ROOT_CONTEXT, traceId).decision !== SamplingDecision.NOT_RECORD,
    begin(traceId, name, options) {
      nextTraceId = traceId
      const span = tracer.startSpan(name, options, ROOT_CONTEXT)
      nextTraceId = undefined
      return span
    },
    child: (parent, name, options) => tracer.startSpan(name, options, trace.setSpanContext(ROOT_CONTEXT, parent)),
    async shutDown() {
      await provider.shutdown()
      context.disable()
      trace.disable()
    },
  }
}
