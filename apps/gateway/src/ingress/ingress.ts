import { accountInternalRoutes } from '@holdfast/contracts/account'
import type { RouteDefinition } from '@holdfast/contracts/route'
import { isWebhook } from '@holdfast/contracts/webhooks'
import { DomainError } from '@holdfast/kernel/errors'
import type { Caller, UserActor } from '@holdfast/service-kit/auth/actor'
import { refusalOfRead } from '@holdfast/service-kit/http/refusal'
import { isSafe } from '@holdfast/service-kit/http/safe-methods'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'
import type { GatewayConfig } from '../config.js'
import { ServiceCalls } from '../services/service-calls.js'
import { Sessions } from '../sessions/sessions.js'
import { isOwnSite, ownOrigins } from './own-site.js'

const { requireProof } = accountInternalRoutes

/** Checks a request before its handler runs: a write must come from our own site, and the session names the user. */
@Injectable()
export class Ingress {
  private readonly origins: ReadonlySet<string>

  constructor(
    @Inject(CONFIG) config: GatewayConfig,
    private readonly sessions: Sessions,
    private readonly calls: ServiceCalls,
  ) {
    this.origins = ownOrigins(config.PUBLIC_URL)
  }

  /**
   * Identifies the caller of a route. It looks up no session for a `public` route or without a session cookie.
   *
   * @throws DomainError CROSS_SITE_REQUEST for a write that a page of another site sent; NOT_FOUND when it is for admins; ApiError with
   *   CONFIRMATION_REQUIRED for a route that `needsProof`
   */
  identify(request: FastifyRequest, route: RouteDefinition): Caller | Promise<Caller> {
    if (!isSafe(route.method) && !isWebhook(route) && !isOwnSite(request.headers, this.origins)) {
      // A route of admins is not named to others, also not by the reason of a refusal.
      throw new DomainError(route.access === 'admin' ? 'NOT_FOUND' : 'CROSS_SITE_REQUEST')
    }
    const hash = route.access === 'public' ? null : this.sessions.hashOf(request)
    if (hash === null) return callerFor(null, request)
    const found = isSafe(route.method) ? this.sessions.findForRead(hash) : this.sessions.find(hash)
    if (route.needsProof) return found.then(actor => this.proven(callerFor(actor, request), route))
    return found.then(actor => callerFor(actor, request))
  }

  /**
   * Lets a caller pass who has shown a short time ago who they are. A caller whom the route refuses anyway is not asked for a proof, so that
   * the refusal does not tell them that the route exists.
   */
  private async proven(caller: Caller, route: RouteDefinition): Promise<Caller> {
    const { actor, clientIp } = caller
    const mayCall =
      actor?.kind === 'user' && (route.access !== 'admin' || (actor.role === 'admin' && !actor.needsSecondFactor))
    if (mayCall)
      await this.calls.call('identity-svc', requireProof, {}, { actor, clientIp, isRead: true }).catch(refuse)
    return caller
  }
}

/** Nothing of the request was done yet, so its outcome is known. */
function refuse(error: unknown): never {
  throw refusalOfRead(error).code === 'UNAVAILABLE' ? new DomainError('UNAVAILABLE') : error
}

const callerFor = (actor: UserActor | null, request: FastifyRequest): Caller => ({
  caller: 'gateway',
  actor,
  clientIp: request.ip,
})
