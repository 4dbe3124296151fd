import { DomainError } from '@holdfast/kernel/errors'
import type { Actor, UserActor } from './actor.js'

/**
 * The user on whose behalf the gateway calls an internal route.
 *
 * @throws DomainError UNAUTHENTICATED when there is none
 */
export function requireUser(actor: Actor | null): UserActor {
  if (actor?.kind !== 'user') throw new DomainError('UNAUTHENTICATED')
  return actor
}
