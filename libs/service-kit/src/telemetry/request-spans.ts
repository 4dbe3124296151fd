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
  const tracer = trace.getTracer('holdfast')
  fastify.addHook('onRequest', (request, _reply, done) => {
    const parent = trustParent ? propagation.extract(ROOT_CONTEXT, request.headers) : ROOT_CONTEXT
    request.span = tracer.startSpan(nameOf(request), { kind: SpanKind.SERVER, attributes: about(request) }, parent)
    done()
  })
  // The async context is lost while the body is read, so the span is made active just before the handler.
  fastify.addHook('preHandler', (request, _reply, done) => {
    if (!request.span) return done()
    context.with(trace.setSpan(context.active(), request.span), done)
  })
  fastify.addHook('onResponse', (request, reply, done) => {
    request.span?.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) request.span?.setStatus({ code: SpanStatusCode.ERROR })
    request.span?.end()
    done()
  })
}

const templateOf = (request: FastifyRequest): string =>
  request.is404 ? 'unmatched' : (request.routeOptions.url ?? 'unmatched')

const nameOf = (request: FastifyRequest): string => `${request.method} ${templateOf(request)}`

const about = (request: FastifyRequest) => ({
  'http.request.method': request.method,
  'http.route': templateOf(request),
  'holdfast.request_id': request.id,
})
