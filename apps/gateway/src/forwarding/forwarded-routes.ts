import type { RouteDefinition } from '@holdfast/contracts/route'
import { ROUTES_BY_SERVICE } from '@holdfast/contracts/routes'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Door } from '../sessions/door.js'
import type { Sessions } from '../sessions/sessions.js'
import { Exchange } from './exchange.js'
import { forwardedRequestHeaders } from './forwarded-headers.js'
import { isRead } from './same-site.js'
import type { ServiceCalls } from './service-calls.js'
import { existenceBehind } from './unheard-of.js'
import type { Upstream, Upstreams } from './upstreams.js'

export interface ForwardingOptions {
  readonly upstreams: Upstreams
  readonly sessions: Sessions
  readonly door: Door
  readonly calls: ServiceCalls
}

/** What changes sessions: whatever is remembered of the one that asked must not outlive it. */
const SESSION_ROUTES = '/api/auth/'

/**
 * Registers every public route that a service answers alone. They stand straight on Nest's own Fastify, since a Nest
 * handler costs as much as the forwarding itself; admission, limits, log and metrics are the same as everywhere.
 */
export function registerForwardedRoutes(fastify: FastifyInstance, options: ForwardingOptions): void {
  for (const upstream of options.upstreams.all()) {
    for (const route of ROUTES_BY_SERVICE[upstream.service] ?? []) {
      if (isForwarded(route)) register(fastify, upstream, route, options)
    }
  }
}

/** Public, and answered by one service alone. */
const isForwarded = (route: RouteDefinition): boolean => typeof route.access === 'string' && route.handling !== 'joined'

function register(
  fastify: FastifyInstance,
  upstream: Upstream,
  route: RouteDefinition,
  options: ForwardingOptions,
): void {
  const { sessions, door, calls } = options
  const endsSessions = route.path.startsWith(SESSION_ROUTES) && !isRead(route.method)
  const exists = existenceBehind(route, calls)
  fastify.route({
    method: route.method,
    url: route.path.replace(/\{(\w+)\}/g, ':$1'),
    // The bytes go on as they came: whether they are what the contract says is for the service to judge.
    config: { route: { ...route, handling: 'raw' } },
    handler: (request, reply) => {
      const exchange = exchangeFor(upstream, route, request, reply)
      if (endsSessions) exchange.onAnswer = () => forgetSession(request, door, sessions)
      if (exists) exchange.exists = () => exists(request)
      exchange.start()
    },
  })
}

function exchangeFor(
  upstream: Upstream,
  route: RouteDefinition,
  request: FastifyRequest,
  reply: FastifyReply,
): Exchange {
  const path = request.raw.url!
  const { actor, clientIp } = request.caller!
  const signed = upstream.client.headersFor(route.method, path, { actor, clientIp }, request.id)
  const headers = Object.assign(forwardedRequestHeaders(request.headers), signed)
  const body = Buffer.isBuffer(request.body) && request.body.length > 0 ? request.body : null
  return new Exchange(upstream, { method: route.method, path, headers, body }, reply)
}

function forgetSession(request: FastifyRequest, door: Door, sessions: Sessions): void {
  const hash = door.sessionHashOf(request)
  if (hash !== null) sessions.forget(hash)
}
