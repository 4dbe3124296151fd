import type { SpanContext } from '@opentelemetry/api'

/** The header of W3C Trace Context that names a trace and the span that caused a call or an event. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/
/** The flag of a trace that is recorded. */
const SAMPLED = 1

/** The header for what a span causes. */
export const traceparentOf = ({ traceId, spanId }: SpanContext): string => `00-${traceId}-${spanId}-01`

/** The span that a header names; null when there is no header, when it is malformed, or when its trace is not recorded. */
export function readTraceparent(header: unknown): SpanContext | null {
  if (typeof header !== 'string') return null
  const [, traceId, spanId, flags] = TRACEPARENT.exec(header) ?? []
  if (!traceId || !spanId || (Number.parseInt(flags!, 16) & SAMPLED) === 0) return null
  return { traceId, spanId, traceFlags: SAMPLED, isRemote: true }
}
