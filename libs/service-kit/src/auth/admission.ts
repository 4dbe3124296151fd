import type { RouteDefinition, ServiceName } from '@holdfast/contracts/route'
import { DomainError } from '@holdfast/kernel/errors'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../lifecycle/clock.js'
import { loggerOf } from '../telemetry/logging.js'
import { ACTOR_HEADER, type Caller, type VerifiedCaller, verifyActor } from './actor.js'
import type { ActorKeys } from './actor-keys.js'
import { hashOfBody, isSignedHead } from './signed-content.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller after admission; null before it, and for a path that is not a route of the contracts. */
    caller: (Caller & Partial<VerifiedCaller>) | null
  }
  interface FastifyContextConfig {
    route?: RouteDefinition
  }
}

/** Identifies the caller of a request. Throws a `DomainError` to refuse it. */
export type Identify = (request: FastifyRequest, route: RouteDefinition) => Caller | Promise<Caller>

/** The signature of a call is missing or invalid, so the caller is not one of our services. */
export class ForeignCaller extends DomainError {
  constructor() {
    super('FORBIDDEN')
  }
}

const REQUEST_ID = /^[A-Za-z0-9-]{8,64}$/

/**
 * Identifies the caller of a service behind the gateway by the signed header alone. When it is valid, the call's request id
 * is used as well.
 *
 * An invalid signature is 403 and not 401: it is a fault between our processes, and a 401 would sign the user out.
 */
export function identifyBySignature(callee: ServiceName, keys: ActorKeys, clock: Clock): Identify {
  const log = loggerOf('admission')
  return request => {
    const header = request.headers[ACTOR_HEADER]
    const binding = { keys, callee, method: request.method, path: request.url, now: clock.now() }
    const caller = verifyActor(typeof header === 'string' ? header : undefined, binding)
    if (!caller || !isSignedHead(caller.content, request.headers)) {
      log.warn({ requestId: request.id, signed: header !== undefined }, 'a call without a valid signature was refused')
      throw new ForeignCaller()
    }
    const requestId = request.headers['x-request-id']
    if (typeof requestId === 'string' && REQUEST_ID.test(requestId)) request.id = requestId
    return caller
  }
}

/** Refuses a body that is not the one that the caller has signed. @throws ForeignCaller */
export function assertSignedBody({ caller }: Pick<FastifyRequest, 'caller'>, body: Buffer): void {
  if (caller?.content && hashOfBody(body) !== caller.content.bodyHash) throw new ForeignCaller()
}

/**
 * Refuses a caller who may not call the route at all. The handler decides which records they may use.
 *
 * @throws DomainError UNAUTHENTICATED when the route needs a user and there is none; NOT_FOUND when it is for admins and the
 * caller is none, so that they get no sign that it exists; ADMIN_NEEDS_SECOND_FACTOR when an admin has signed in without a second
 * factor; ForeignCaller when this service may not call the route
 */
export function admit(route: RouteDefinition, { caller, actor }: Caller): void {
  const { access } = route
  if (typeof access === 'object') {
    if (!access.internal.includes(caller)) throw new ForeignCaller()
    return
  }
  if (caller !== 'gateway') throw new ForeignCaller()
  if (access === 'public' || access === 'visitor') return
  if (access === 'admin') {
    if (actor?.kind === 'user' && actor.needsSecondFactor) throw new DomainError('ADMIN_NEEDS_SECOND_FACTOR')
    if (actor?.kind !== 'user' || actor.role !== 'admin') throw new DomainError('NOT_FOUND')
    return
  }
  if (actor?.kind !== 'user') throw new DomainError('UNAUTHENTICATED')
}
