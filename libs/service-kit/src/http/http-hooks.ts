import { maxBodyBytesOf, type RouteDefinition } from '@holdfast/contracts/route'
import { REPLICA_ENDS_HEADER, REPLICA_HEADER } from '@holdfast/http-client/replica-connection'
import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { admit, type Identify } from '../auth/admission.js'
import type { Drain } from '../lifecycle/drain.js'
import { requestLog } from '../telemetry/logging.js'
import { observeRequest } from '../telemetry/metrics.js'
import { installRequestSpans } from '../telemetry/request-spans.js'
import { tracing } from '../telemetry/telemetry.js'
import { installBodyParsers } from './body-parser.js'
import type { RequestsUnderWay } from './requests-under-way.js'
import type { RouteTable } from './route-table.js'

/** A request that takes longer is logged with every status. */
const SLOW_REQUEST_MS = 1_000
/** Names this process to its callers, so that they know which of their connections lead to the same replica. */
const REPLICA = newId()
export type RequestLogLevel = 'info' | 'debug'

/** Headers of every answer to a request. A handler may overwrite them. */
export type AnswerHeaders = (request: FastifyRequest) => Readonly<Record<string, string>>

export interface HttpHooksOptions {
  readonly identify: Identify
  readonly drain: Drain
  readonly routes: RouteTable
  readonly requestLogLevel: RequestLogLevel
  /** Headers of every answer, refusals included. */
  readonly answerHeaders?: AnswerHeaders | undefined
  /** The limit of requests under way; left out where forwarding has limits of its own. */
  readonly underWay?: RequestsUnderWay | undefined
  /**
   * Whether this is the edge: each request begins a trace. Otherwise the callers are our own services. Only their traces are continued, and
   * only they learn which replica answers.
   */
  readonly isEdge: boolean
}

/** Adds parsing, admission, request id, metrics and the request log to every route that is registered later. */
export function installHttpHooks(fastify: FastifyInstance, options: HttpHooksOptions): void {
  fastify.decorateRequest('caller', null)
  fastify.decorateRequest('span', null)
  if (tracing()) installRequestSpans(fastify, options.isEdge)
  installBodyParsers(fastify)
  fastify.addHook('onRoute', definition => {
    const route = definition.config?.route
    // A route of admins is not named to others: for another method its path is 404, and not 405.
    if (route?.access !== 'admin')
      for (const method of [definition.method].flat()) options.routes.add(method, definition.url)
    if (route) definition.bodyLimit = maxBodyBytesOf(route)
    if (route && options.underWay) definition.handler = options.underWay.limited(route, definition.handler)
  })
  fastify.addHook('onRequest', (request, reply, done) => {
    if (options.answerHeaders) reply.headers(options.answerHeaders(request))
    if (hasSeveralHosts(request.raw.rawHeaders)) return done(new DomainError('MALFORMED_REQUEST'))
    const { route } = request.routeOptions.config
    if (!route) return done()
    admitCaller(request, route, options.identify, done)
  })
  fastify.addHook('onSend', (request, reply, payload, done) => {
    reply.header('x-request-id', request.id)
    if (!options.isEdge) reply.header(REPLICA_HEADER, REPLICA)
    if (options.drain.connectionsEnd) {
      reply.header('connection', 'close')
      if (!options.isEdge) reply.header(REPLICA_ENDS_HEADER, '1')
    }
    done(null, payload)
  })
  fastify.addHook('onResponse', (request, reply, done) => {
    record(request, reply, options.requestLogLevel)
    done()
  })
}

/**
 * Whether a request names several hosts, which RFC 9112 (section 3.2) wants refused: a proxy in front may have read another one
 * than we do. Node keeps only the first in `headers`.
 */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}

function admitCaller(
  request: FastifyRequest,
  route: RouteDefinition,
  identify: Identify,
  done: (error?: Error) => void,
): void {
  try {
    const caller = identify(request, route)
    if (caller instanceof Promise) {
      caller
        .then(known => {
          request.caller = known
          admit(route, known)
        })
        .then(() => done(), done)
      return
    }
    request.caller = caller
    admit(route, caller)
    done()
  } catch (error) {
    done(error as Error)
  }
}

/** Requests without a route share one label. Otherwise a scanner could fill the registry with invented paths. */
const UNMATCHED = 'unmatched'

/** Counts a request that was answered, and logs it. */
export function record(
  request: Pick<FastifyRequest, 'id' | 'method' | 'is404' | 'routeOptions' | 'caller'>,
  reply: Pick<FastifyReply, 'statusCode' | 'elapsedTime'>,
  level: RequestLogLevel,
): void {
  const route = request.is404 ? UNMATCHED : (request.routeOptions.url ?? UNMATCHED)
  const ms = reply.elapsedTime
  observeRequest(request.method, route, reply.statusCode, ms / 1000)
  const notable = reply.statusCode >= 500 || ms >= SLOW_REQUEST_MS
  const at = notable ? 'info' : level
  if (!requestLog.isLevelEnabled(at)) return
  const actor = request.caller?.actor
  requestLog[at](
    {
      requestId: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(ms * 10) / 10,
      ...(actor?.kind === 'user' ? { userId: actor.id } : {}),
    },
    'request',
  )
}
