import type { RouteDefinition, ServiceName } from '@holdfast/contracts/route'
import { DomainError } from '@holdfast/kernel/errors'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../lifecycle/clock.js'
import { loggerOf } from '../telemetry/logging.js'
import { ACTOR_HEADER, type ActorKeys, type Caller, verifyActor } from './actor.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls, once admitted; null before, and where no route of the contracts is called. */
    caller: Caller | null
  }
  interface FastifyContextConfig {
    route?: RouteDefinition
  }
}

/** Finds out who makes a request. Throws a `DomainError` to refuse it. */
export type Identify = (request: FastifyRequest, route: RouteDefinition) => Caller | Promise<Caller>

/** A call that none of our services may make; nobody who uses the product meets it. */
export class ForeignCaller extends DomainError {
  constructor() {
    super('FORBIDDEN')
  }
}

const REQUEST_ID = /^[A-Za-z0-9-]{8,64}$/

/**
 * How a service behind the gateway finds out: by the signed header, and by nothing else. A valid signature also
 * vouches for the request id that came with it.
 *
 * A bad signature is 403, not 401: it says something about our own processes, and must sign nobody out.
 */
export function identifyBySignature(callee: ServiceName, keys: ActorKeys, clock: Clock): Identify {
  const log = loggerOf('admission')
  return request => {
    const header = request.headers[ACTOR_HEADER]
    const binding = { keys, callee, method: request.method, path: request.url, now: clock.now() }
    const caller = verifyActor(typeof header === 'string' ? header : undefined, binding)
    if (!caller) {
      log.warn({ requestId: request.id, signed: header !== undefined }, 'a call without a valid signature was refused')
      throw new ForeignCaller()
    }
    const requestId = request.headers['x-request-id']
    if (typeof requestId === 'string' && REQUEST_ID.test(requestId)) request.id = requestId
    return caller
  }
}

/**
 * Refuses whoever may not call the route at all. What they may do to a particular record is the handler's business.
 *
 * @throws DomainError UNAUTHENTICATED when somebody must be signed in, FORBIDDEN for the wrong role or service
 */
export function admit(route: RouteDefinition, { caller, actor }: Caller): void {
  const { access } = route
  if (typeof access === 'object') {
    if (!access.internal.includes(caller)) throw new ForeignCaller()
    return
  }
  if (caller !== 'gateway') throw new ForeignCaller()
  if (access === 'public' || access === 'visitor') return
  if (actor?.kind !== 'user') throw new DomainError('UNAUTHENTICATED')
  if (access === 'admin' && actor.role !== 'admin') throw new DomainError('FORBIDDEN')
}
