import type { RouteDefinition } from '@holdfast/contracts/route'
import { isWebhook } from '@holdfast/contracts/webhooks'
import { DomainError } from '@holdfast/kernel/errors'
import type { Caller, UserActor } from '@holdfast/service-kit/auth/actor'
import { isSafe } from '@holdfast/service-kit/http/safe-methods'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'
import type { GatewayConfig } from '../config.js'
import { Sessions } from '../sessions/sessions.js'
import { isOwnSite, ownOrigins } from './own-site.js'

/** Checks a request before its handler runs: a write must come from our own site, and the session names the user. */
@Injectable()
export class Ingress {
  private readonly origins: ReadonlySet<string>

  constructor(
    @Inject(CONFIG) config: GatewayConfig,
    private readonly sessions: Sessions,
  ) {
    this.origins = ownOrigins(config.PUBLIC_URL)
  }

  /**
   * Identifies the caller of a route. It looks up no session for a `public` route or without a session cookie.
   *
   * @throws DomainError CROSS_SITE_REQUEST for a write that a page of another site sent; NOT_FOUND when it is for admins
   */
  identify(request: FastifyRequest, route: RouteDefinition): Caller | Promise<Caller> {
    if (!isSafe(route.method) && !isWebhook(route) && !isOwnSite(request.headers, this.origins)) {
      // A route of admins is not named to others, also not by the reason of a refusal.
      throw new DomainError(route.access === 'admin' ? 'NOT_FOUND' : 'CROSS_SITE_REQUEST')
    }
    const hash = route.access === 'public' ? null : this.sessions.hashOf(request)
    if (hash === null) return callerFor(null, request)
    const found = isSafe(route.method) ? this.sessions.findForRead(hash) : this.sessions.find(hash)
    return found.then(actor => callerFor(actor, request))
  }
}

const callerFor = (actor: UserActor | null, request: FastifyRequest): Caller => ({
  caller: 'gateway',
  actor,
  clientIp: request.ip,
})
