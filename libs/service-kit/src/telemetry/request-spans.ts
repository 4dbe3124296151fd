import { SpanStatusCode } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { beginTrace, continueTrace, inSpan, type Span, SpanKind } from './telemetry.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of this request; null when tracing is off or its trace is not recorded. */
    span: Span | null
  }
}

/**
 * Makes a server span for every request whose trace is recorded. Call it only when traces are exported.
 *
 * @param beginsTraces true at the edge: each request begins a trace, and a `traceparent` of the client is ignored, because it could make
 *   us record every request, or add spans to a trace of other requests. False behind it: only the traces of our own calls are continued
 */
export function installRequestSpans(fastify: FastifyInstance, beginsTraces: boolean): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    request.span = beginsTraces
      ? beginTrace(request.id, nameOf(request), about(request))
      : continueRequest(request, request.headers.traceparent)
    inSpan(request.span, done)
  })
  // The async context is lost while the body is read, so the span is made active once more just before the handler.
  fastify.addHook('preHandler', (request, _reply, done) => {
    inSpan(request.span, done)
  })
  fastify.addHook('onResponse', (request, reply, done) => {
    endRequestSpan(request.span, reply.statusCode)
    done()
  })
}

type Spanned = Pick<FastifyRequest, 'id' | 'method' | 'is404' | 'routeOptions'>

/** The span of a request of one of our own services. @param traceparent the W3C header of the caller */
export const continueRequest = (request: Spanned, traceparent: unknown): Span | null =>
  traceparent === undefined ? null : continueTrace(traceparent, nameOf(request), about(request))

export function endRequestSpan(span: Span | null, status: number): void {
  span?.setAttribute('http.response.status_code', status)
  if (status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
  span?.end()
}

const templateOf = (request: Spanned): string =>
  request.is404 ? 'unmatched' : (request.routeOptions.url ?? 'unmatched')

const nameOf = (request: Spanned): string => `${request.method} ${templateOf(request)}`

const about = (request: Spanned) => ({
  kind: SpanKind.SERVER,
  attributes: {
    'http.request.method': request.method,
    'http.route': templateOf(request),
    'holdfast.request_id': request.id,
  },
})
