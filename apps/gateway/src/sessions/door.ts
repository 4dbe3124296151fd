import type { RouteDefinition } from '@holdfast/contracts/route'
import { sessionCookieName } from '@holdfast/contracts/session-cookie'
import { DomainError } from '@holdfast/kernel/errors'
import type { Caller, UserActor } from '@holdfast/service-kit/auth/actor'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'
import type { GatewayConfig } from '../config.js'
import { isOwnSite, isRead, ownOrigins } from '../forwarding/same-site.js'
import { findSessionHash } from './session-cookie.js'
import { READ_SESSION_AGE_MS, Sessions } from './sessions.js'

/** Webhooks come from other sites by nature; their signatures are their services' business. */
const WEBHOOKS = '/api/webhooks/'

/** Finds out who stands at the door, and refuses what another site's page made somebody's browser send. */
@Injectable()
export class Door {
  private readonly origins: ReadonlySet<string>
  private readonly cookieName: string

  constructor(
    @Inject(CONFIG) config: GatewayConfig,
    private readonly sessions: Sessions,
  ) {
    this.origins = ownOrigins(config.PUBLIC_URL)
    this.cookieName = sessionCookieName(config.PUBLIC_URL)
  }

  /**
   * Who makes a request to the route. Nobody is asked where it does not matter who it is, or where there is no cookie.
   *
   * @throws DomainError CROSS_SITE_REQUEST
   */
  identify(request: FastifyRequest, route: RouteDefinition): Caller | Promise<Caller> {
    if (!isRead(route.method) && !route.path.startsWith(WEBHOOKS) && !isOwnSite(request.headers, this.origins)) {
      throw new DomainError('CROSS_SITE_REQUEST')
    }
    const hash = route.access === 'public' ? null : this.sessionHashOf(request)
    if (hash === null) return callerFor(null, request)
    const age = isRead(route.method) ? READ_SESSION_AGE_MS : 0
    return this.sessions.find(hash, age).then(actor => callerFor(actor, request))
  }

  /** The hash of the session token that came with the request. */
  sessionHashOf(request: FastifyRequest): string | null {
    return findSessionHash(request.headers.cookie, this.cookieName)
  }
}

const callerFor = (actor: UserActor | null, request: FastifyRequest): Caller => ({
  caller: 'gateway',
  actor,
  clientIp: request.ip,
})
