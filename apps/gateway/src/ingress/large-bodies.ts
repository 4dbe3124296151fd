import { MAX_IMAGE_REQUEST_BYTES, MAX_REQUEST_BYTES } from '@holdfast/kernel/requests'
import { declaredBytes, mayBeLarge } from '@holdfast/service-kit/http/large-request'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type BodyLimits, FairBodies } from './fair-bodies.js'
import { senderOf } from './sender.js'

/** As much as four of the largest bodies. Each is in memory completely, and for a moment in more than one form. */
export const MAX_LARGE_BYTES = 4 * MAX_IMAGE_REQUEST_BYTES
/** The most large bodies of one user. */
const MAX_LARGE_BODIES_PER_USER = 2

/** A body up to this size is small. A request of our screens without pictures is smaller. */
export const SMALL_BODY_BYTES = 32 * 1024
/**
 * The most bytes of bodies that are neither small nor large. Without this limit one account could take a megabyte with each connection
 * that it opens.
 */
export const MAX_MEDIUM_BYTES = 256 * MAX_REQUEST_BYTES
/** The most of one user. */
export const MAX_MEDIUM_BODIES_PER_USER = 16

/** How bodies are treated when there is no room for all. */
type WhenFull = Pick<BodyLimits, 'graceMs' | 'slowestBytesPerSecond' | 'waitMs'>
const WHEN_FULL: WhenFull = {
  graceMs: 5_000,
  // Half of what a phone sends at one megabit per second.
  slowestBytesPerSecond: 64 * 1024,
  waitMs: 15_000,
}

/**
 * Limits the memory that requests of users take, and shares it fairly (`FairBodies`). A request is large when its route has a body limit
 * above the usual one, and it may need that. Those of visitors have limits of their own (`anonymous-bodies.ts`).
 *
 * @param changed for tests
 */
export function limitLargeBodies(fastify: FastifyInstance, changed: Partial<WhenFull> = {}): void {
  const whenFull = { ...WHEN_FULL, ...changed }
  limitBodies(fastify, mayBeLarge, {
    mostBytes: MAX_LARGE_BYTES,
    maxBytes: MAX_IMAGE_REQUEST_BYTES,
    mostPerPerson: MAX_LARGE_BODIES_PER_USER,
    ...whenFull,
  })
  limitBodies(fastify, isMedium, {
    mostBytes: MAX_MEDIUM_BYTES,
    maxBytes: MAX_REQUEST_BYTES,
    mostPerPerson: MAX_MEDIUM_BODIES_PER_USER,
    ...whenFull,
  })
}

const isMedium = (request: FastifyRequest): boolean =>
  request.caller?.actor?.kind === 'user' && declaredBytes(request) > SMALL_BODY_BYTES && !mayBeLarge(request)

function limitBodies(
  fastify: FastifyInstance,
  isConcerned: (request: FastifyRequest) => boolean,
  limits: BodyLimits,
): void {
  const bodies = new FairBodies(limits)
  fastify.addHook('onRequest', (request, reply, done) => {
    // Of a closed connection, the answer emits no second `close`, so its room would never become free.
    if (!isConcerned(request) || reply.raw.destroyed) done()
    else bodies.take(senderOf(request), request, reply, done)
  })
}
