import { DomainError } from '@holdfast/kernel/errors'
import { mayBeLarge } from '@holdfast/service-kit/large-request'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** A request with images is held whole in memory, in several forms at its worst: so many at a time, of all users. */
export const MAX_LARGE_BODIES = 4
/** And so many of one user, so that nobody's slow line keeps everybody from offering something. */
export const MAX_LARGE_BODIES_PER_USER = 2
const RETRY_AFTER_SECONDS = 5

/** Bounds the memory that large requests take: those of routes whose limit is above the usual one. */
export function limitLargeBodies(fastify: FastifyInstance): void {
  const bySender = new Map<string, number>()
  let total = 0

  const release = (sender: string): void => {
    const left = bySender.get(sender)! - 1
    if (left > 0) bySender.set(sender, left)
    else bySender.delete(sender)
    total--
  }
  const admit = (request: FastifyRequest, reply: FastifyReply): void => {
    const { actor } = request.caller ?? {}
    const sender = actor?.kind === 'user' ? actor.id : request.ip
    const own = bySender.get(sender) ?? 0
    const code = own >= MAX_LARGE_BODIES_PER_USER ? 'RATE_LIMITED' : total >= MAX_LARGE_BODIES ? 'UNAVAILABLE' : null
    if (code) throw new DomainError(code, { retryAfterSeconds: RETRY_AFTER_SECONDS })
    bySender.set(sender, own + 1)
    total++
    reply.raw.once('close', () => release(sender))
  }

  fastify.addHook('onRequest', (request, reply, done) => {
    // One that has gone meanwhile will not tell again that it goes.
    if (!mayBeLarge(request) || reply.raw.destroyed) return done()
    try {
      admit(request, reply)
      done()
    } catch (error) {
      done(error as Error)
    }
  })
}
