import { context, ROOT_CONTEXT, type Span, type SpanContext, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { isDoneWithin } from '../lifecycle/waiting.js'
import { describeError } from './error-log.js'
import { loggerOf } from './logging.js'
import { readTraceparent, traceparentOf } from './traceparent.js'
import type { SpanOptions, Tracing } from './tracing.js'

export { type Span, SpanKind }

/** How long a process that ends waits for the collector. */
const LAST_EXPORT_MS = 2_000

/** The SDK. It is loaded only when there is a collector (ADR 11). */
let sdk: Tracing | undefined

/** Whether traces are exported. */
export const tracing = (): boolean => sdk !== undefined

export interface TelemetryOptions {
  /** The collector's address; without it the SDK is not loaded. */
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
  /** The share of the traces begun here that are recorded, from 0 to 1. */
  readonly OTEL_TRACES_SAMPLER_ARG: number
}

/** Starts to export traces when there is a collector. While it is away or hangs, spans are lost and requests are not affected. */
export async function startTelemetry(service: string, options: TelemetryOptions): Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share } = options
  if (endpoint === undefined) return
  const { startTracing } = await import('./tracing.js')
  sdk = startTracing(service, endpoint, share)
}

/** Exports the last spans, for at most `LAST_EXPORT_MS`, and stops. Never rejects. */
export async function stopTelemetry(): Promise<void> {
  const stopping = sdk
  sdk = undefined
  if (!stopping) return
  const log = loggerOf('telemetry')
  try {
    const isDone = await isDoneWithin(LAST_EXPORT_MS, stopping.shutDown())
    if (!isDone) log.warn({ withinMs: LAST_EXPORT_MS }, 'the last spans could not be exported')
  } catch (error) {
    log.warn({ err: error }, 'the last spans could not be exported')
  }
}

/**
 * Begins the trace of a request, or of work that the service does by itself. The trace's id is the request's id without dashes.
 *
 * @returns null when tracing is off or the trace is not recorded. Nothing that the work causes is then recorded either
 */
export function beginTrace(requestId: string, name: string, options: SpanOptions = {}): Span | null {
  if (!sdk) return null
  const traceId = requestId.replaceAll('-', '')
  return sdk.isRecorded(traceId) ? sdk.begin(traceId, name, options) : null
}

/**
 * Begins a span for what another process has caused.
 *
 * @param traceparent the W3C header that the other process sent
 * @returns null when tracing is off, and when the header is missing or its trace is not recorded
 */
export function continueTrace(traceparent: unknown, name: string, options: SpanOptions = {}): Span | null {
  const parent = sdk && readTraceparent(traceparent)
  return parent ? sdk!.child(parent, name, options) : null
}

/** Begins a span in the active one. @returns null when no span is active */
export function startSpan(name: string, options: SpanOptions = {}): Span | null {
  const parent = activeSpan()
  return parent ? sdk!.child(parent, name, options) : null
}

/** A span that has ended causes nothing more: callbacks that it left behind may serve other requests. */
function activeSpan(): SpanContext | undefined {
  const span = sdk && trace.getActiveSpan()
  return span?.isRecording() ? span.spanContext() : undefined
}

/** Runs the work with the span as the active one. Without a span it only runs the work. */
export function inSpan<T>(span: Span | null, work: () => T): T {
  return span ? context.with(trace.setSpan(context.active(), span), work) : work()
}

/** Runs the work in a span, which ends with the work and records its error. Without a span it only runs the work. */
export function withSpan<T>(span: Span | null, work: () => Promise<T>): Promise<T> {
  if (!span) return work()
  return inSpan(span, async () => {
    try {
      return await work()
    } catch (error) {
      failSpan(span, error)
      throw error
    } finally {
      span.end()
    }
  })
}

/** Says that what the span stands for has failed. */
export function failSpan(span: Span, error: unknown): void {
  recordError(span, error)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** The lines of a stack that name files and lines of code. The message comes before them. */
const STACK_PLACES = /^ +at .*$/gm

/** Records an error by its type, its code and its stack. Its message stays in the log, since it may quote what a user sent. */
export function recordError(span: Span, error: unknown): void {
  const { type, code, stack } = describeError(error)
  const name = typeof code === 'string' ? `${type} ${code}` : type
  span.setAttribute('error.type', name)
  span.recordException({ name, stack: (stack?.match(STACK_PLACES) ?? []).join('\n') })
}

/**
 * Runs work that several calls share. It is recorded in the trace of the first recorded call, and the spans of the others lead to it by
 * a link.
 *
 * @param spans the span of each call, begun when it began to wait; null for a call that is not recorded
 */
export function runShared<T>(spans: readonly (Span | null)[], work: () => T): T {
  if (!sdk) return work()
  const [first, ...others] = spans.filter(span => span !== null)
  // Without this, work that no recorded call needs would be recorded for the call that happened to start it.
  if (!first) return context.with(ROOT_CONTEXT, work)
  first.setAttribute('holdfast.calls', spans.length)
  for (const other of others)
    other.setAttribute('holdfast.calls', spans.length).addLink({ context: first.spanContext() })
  return context.with(trace.setSpan(ROOT_CONTEXT, first), work)
}

/** Makes a callback run with the span that is active now. */
export const bound = <F>(callback: F): F => (sdk ? context.bind(context.active(), callback) : callback)

/** The id of the current trace; undefined when it is not recorded. */
export const currentTraceId = (): string | undefined => activeSpan()?.traceId

/** The `traceparent` header of the active span; undefined when nothing is recorded. */
export function currentTraceparent(): string | undefined {
  const active = activeSpan()
  return active && traceparentOf(active)
}
