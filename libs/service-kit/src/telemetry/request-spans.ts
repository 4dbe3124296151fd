import { context, propagation, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of this request; null when tracing is off. */
    span: Span | null
  }
}

/**
 * Makes a server span for every request. Call it only when traces are exported.
 *
 * @param trustParent whether `traceparent` is taken from the caller. True for calls of our own services; a client outside
 *   could make us record every request
 */
export function installRequestSpans(fastify: FastifyInstance, trustParent: boolean): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    request.span = startRequestSpan(request, trustParent ? request.headers : {})
    done()
  })
  // The async context is lost while the body is read, so the span is made active just before the handler.
  fastify.addHook('preHandler', (request, _reply, done) => {
    inRequestSpan(request.span, done)
  })
  fastify.addHook('onResponse', (request, reply, done) => {
    endRequestSpan(request.span, reply.statusCode)
    done()
  })
}

type Spanned = Pick<FastifyRequest, 'id' | 'method' | 'is404' | 'routeOptions'>

/** @param parent the W3C headers of the caller; without them the request begins a trace */
export function startRequestSpan(request: Spanned, parent: Readonly<Record<string, unknown>>): Span {
  const options = { kind: SpanKind.SERVER, attributes: about(request) }
  return trace.getTracer('holdfast').startSpan(nameOf(request), options, propagation.extract(ROOT_CONTEXT, parent))
}

/** Runs the work with the span as the active one. Without a span it only runs the work. */
export function inRequestSpan<T>(span: Span | null, work: () => T): T {
  return span ? context.with(trace.setSpan(context.active(), span), work) : work()
}

export function endRequestSpan(span: Span | null, status: number): void {
  span?.setAttribute('http.response.status_code', status)
  if (status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
  span?.end()
}

const templateOf = (request: Spanned): string =>
  request.is404 ? 'unmatched' : (request.routeOptions.url ?? 'unmatched')

const nameOf = (request: Spanned): string => `${request.method} ${templateOf(request)}`

const about = (request: Spanned) => ({
  'http.request.method': request.method,
  'http.route': templateOf(request),
  'holdfast.request_id': request.id,
})
