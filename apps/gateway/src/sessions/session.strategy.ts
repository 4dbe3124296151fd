import type { RouteDefinition } from '@holdfast/contracts/route'
import type { Caller } from '@holdfast/service-kit/auth/actor'
import type { Identify } from '@holdfast/service-kit/auth/admission'
import { Injectable } from '@nestjs/common'
import { PassportStrategy } from '@nestjs/passport'
import type { FastifyRequest } from 'fastify'
import passport from 'passport'
import { Strategy } from 'passport-custom'
import { Door } from './door.js'

export const SESSION_STRATEGY = 'session-cookie'

/** Passport's view of the session: the strategy of the routes that the gateway answers itself. */
@Injectable()
export class SessionStrategy extends PassportStrategy(Strategy, SESSION_STRATEGY) {
  constructor(private readonly door: Door) {
    super()
  }

  /** The caller; a visitor is one, too, and what they may not do is refused by the route's access. */
  validate(request: FastifyRequest): Caller | Promise<Caller> {
    const { route } = request.routeOptions.config
    if (!route) throw new Error('a session was asked for where no route of the contracts is')
    return this.door.identify(request, route)
  }
}

/**
 * How the gateway finds out who makes a request: by Passport where a controller answers, and straight from the door
 * where bytes are forwarded, since Passport would cost there as much as the forwarding. Both ask the same sessions.
 */
export const identifyWith =
  (door: Door): Identify =>
  (request, route) =>
    isAnsweredHere(route) ? authenticate(request) : door.identify(request, route)

const isAnsweredHere = ({ handling }: RouteDefinition): boolean => handling === 'joined'

function authenticate(request: FastifyRequest): Promise<Caller> {
  return new Promise((resolve, reject) => {
    const decide = (error: unknown, caller: Caller | false) =>
      error || !caller ? reject(error ?? new Error('the session strategy named nobody')) : resolve(caller)
    passport.authenticate(SESSION_STRATEGY, { session: false }, decide)(request, null, reject)
  })
}
