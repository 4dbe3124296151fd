import { DomainError } from '@holdfast/kernel/errors'
import type { Actor, UserActor } from '@holdfast/service-kit/auth/actor'
import type { RequestContext } from '@holdfast/service-kit/http/route'
import type { Party } from './deals.service.js'

/** The user who gives a command, and the request's idempotency key. */
export const partyIn = (ctx: Pick<RequestContext<UserActor>, 'actor' | 'idempotencyKey'>): Party => ({
  userId: ctx.actor.id,
  key: ctx.idempotencyKey,
})

/** The user on whose behalf a service calls. @throws DomainError `FORBIDDEN` when it calls for itself */
export function userIn(ctx: RequestContext<Actor>): string {
  if (ctx.actor.kind !== 'user') throw new DomainError('FORBIDDEN')
  return ctx.actor.id
}
