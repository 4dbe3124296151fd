import { MAX_BATCHED_BODY_BYTES } from '@holdfast/contracts/batches'
import { isRepeatable, type RouteDefinition } from '@holdfast/contracts/route'
import { ROUTES_BY_SERVICE } from '@holdfast/contracts/routes'
import { AUTH_PATH } from '@holdfast/contracts/session-cookie'
import { isSafe } from '@holdfast/service-kit/http/safe-methods'
import { bound, inSpan } from '@holdfast/service-kit/telemetry/telemetry'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceCalls } from '../services/service-calls.js'
import type { Upstream, Upstreams } from '../services/upstreams.js'
import type { Sessions } from '../sessions/sessions.js'
import { BatchedExchange } from './batched-exchange.js'
import { dealExistenceCheck } from './deal-existence.js'
import { Exchange } from './exchange.js'
import { forwardedRequestHeaders } from './forwarded-headers.js'
import { UnreadAnswers } from './unread-answers.js'

/**
 * A request with a larger body is not sent again when a replica hangs. Its size can be the reason why the replica hangs, and the next
 * replica would then hang, too.
 */
export const MAX_REPEATED_BODY_BYTES = 64 * 1024

interface ForwardingOptions {
  readonly upstreams: Upstreams
  readonly sessions: Sessions
  readonly calls: ServiceCalls
}

/**
 * Registers every public route that one service answers. They are registered on Nest's own Fastify, without a controller,
 * since a Nest handler costs as much as the forwarding itself. Admission, limits, log and metrics are the same.
 */
export function registerForwardedRoutes(fastify: FastifyInstance, options: ForwardingOptions): void {
  const unread = new UnreadAnswers()
  for (const upstream of options.upstreams.all()) {
    for (const route of ROUTES_BY_SERVICE[upstream.service] ?? []) {
      if (isForwarded(route)) register(fastify, upstream, route, { ...options, unread })
    }
  }
}

/** Whether a route is public and answered by one service. */
const isForwarded = (route: RouteDefinition): boolean => typeof route.access === 'string' && route.handling !== 'joined'

function register(
  fastify: FastifyInstance,
  upstream: Upstream,
  route: RouteDefinition,
  { sessions, calls, unread }: ForwardingOptions & { readonly unread: UnreadAnswers },
): void {
  // These requests may begin, end or replace a session.
  const changesSessions = route.path.startsWith(AUTH_PATH) && !isSafe(route.method)
  const dealExists = dealExistenceCheck(route, calls)
  if (route.batched && (changesSessions || dealExists))
    throw new Error(`${route.method} ${route.path} needs steps of its own, so it cannot share an exchange`)
  fastify.route({
    method: route.method,
    url: route.path.replace(/\{(\w+)\}/g, ':$1'),
    // The body is forwarded unparsed. The service checks it against the contract.
    config: { route: { ...route, handling: 'raw' } },
    handler: (request, reply) => {
      const body = Buffer.isBuffer(request.body) && request.body.length > 0 ? request.body : null
      // A refused batch calls this for each of its requests, outside of their traces. `bound` keeps this request's trace.
      const forwardAlone = bound((mayBeDone: boolean) => {
        const cookies = changesSessions ? sessions.cookieHeadersOf(request) : {}
        const exchange = exchangeFor(upstream, route, { request, body, reply, cookies, unread, mayBeDone })
        if (changesSessions) exchange.onAnswer = () => forgetSession(request, sessions)
        if (dealExists) exchange.dealExists = () => dealExists(request)
        exchange.start()
      })
      if (route.batched && (body?.length ?? 0) <= MAX_BATCHED_BODY_BYTES) {
        new BatchedExchange(upstream, route, request, body, reply, forwardAlone).start()
      } else forwardAlone(false)
    },
  })
}

/** What one exchange needs besides its route. */
interface Forwarded {
  readonly request: FastifyRequest
  readonly body: Buffer | null
  readonly reply: FastifyReply
  readonly cookies: Record<string, string>
  readonly unread: UnreadAnswers
  /** Whether the service may have received the request already. */
  readonly mayBeDone: boolean
}

function exchangeFor(
  upstream: Upstream,
  route: RouteDefinition,
  { request, body, reply, cookies, unread, mayBeDone }: Forwarded,
): Exchange {
  const path = request.raw.url!
  const { actor, clientIp } = request.caller!
  const headers = Object.assign(forwardedRequestHeaders(request.headers), cookies)
  const toSign = { method: route.method, path, headers, body }
  const span = upstream.client.startSpan(route.method)
  Object.assign(
    headers,
    inSpan(span, () => upstream.client.headersFor(toSign, { actor, clientIp }, request.id)),
  )
  const client = actor?.kind === 'user' ? actor.id : request.ip
  const isSmall = (body?.length ?? 0) <= MAX_REPEATED_BODY_BYTES
  const repeatable = isSmall && isRepeatable(route, request.headers['idempotency-key'])
  const forwarded = { method: route.method, path, headers, body, client, isRepeatable: repeatable }
  return new Exchange(upstream, forwarded, reply, unread, span, mayBeDone)
}

function forgetSession(request: FastifyRequest, sessions: Sessions): void {
  const hash = sessions.hashOf(request)
  if (hash !== null) sessions.forget(hash)
}
