import type { RouteDefinition } from '@holdfast/contracts/route'
import type { Caller } from '@holdfast/service-kit/auth/actor'
import type { Identify } from '@holdfast/service-kit/auth/admission'
import { Injectable } from '@nestjs/common'
import { PassportStrategy } from '@nestjs/passport'
import type { FastifyRequest } from 'fastify'
import passport from 'passport'
import { Strategy } from 'passport-custom'
import { Ingress } from './ingress.js'

const SESSION_STRATEGY = 'session-cookie'

/** The Passport strategy of the routes that the gateway answers itself. */
@Injectable()
export class SessionStrategy extends PassportStrategy(Strategy, SESSION_STRATEGY) {
  constructor(private readonly ingress: Ingress) {
    super()
  }

  /** The caller, who may be a visitor. A route that needs a user refuses visitors later, by its `access`. */
  validate(request: FastifyRequest): Caller | Promise<Caller> {
    const { route } = request.routeOptions.config
    if (!route) throw new Error('the session strategy was used for a request without a route of the contracts')
    return this.ingress.identify(request, route)
  }
}

/**
 * Identifies the caller of a request: through Passport when a controller answers, and directly when the request is
 * forwarded, because Passport would cost as much as the forwarding itself. Both call `Ingress.identify`.
 */
export const identifyWith =
  (ingress: Ingress): Identify =>
  (request, route) =>
    isAnsweredHere(route) ? authenticate(request) : ingress.identify(request, route)

const isAnsweredHere = ({ handling }: RouteDefinition): boolean => handling === 'joined'

function authenticate(request: FastifyRequest): Promise<Caller> {
  return new Promise((resolve, reject) => {
    const decide = (error: unknown, caller: Caller | false) =>
      error || !caller ? reject(error ?? new Error('the session strategy returned no caller')) : resolve(caller)
    passport.authenticate(SESSION_STRATEGY, { session: false }, decide)(request, null, reject)
  })
}
