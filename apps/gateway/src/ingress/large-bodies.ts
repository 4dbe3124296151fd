import { MAX_IMAGE_REQUEST_BYTES, MAX_REQUEST_BYTES } from '@holdfast/kernel/requests'
import { REQUEST_TIMEOUT_MS } from '@holdfast/service-kit/http/adapter'
import { declaredBytes, mayBeLarge } from '@holdfast/service-kit/http/large-request'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BodySlots, beforeBodies, type SlotLimits } from './body-slots.js'

/** The most large requests at a time. Each is in memory completely, and for a moment in more than one form. */
export const MAX_LARGE_BODIES = 4
/** The most of one user, so that a user with a slow connection does not take all slots. */
const MAX_LARGE_BODIES_PER_USER = 2

/** A body up to this size is small. A request of our screens without pictures is smaller. */
export const SMALL_BODY_BYTES = 32 * 1024
/**
 * The most requests at a time whose bodies are neither small nor large. Together they may take 256 MB. Without this limit
 * one account could take a megabyte with each connection that it opens.
 */
export const MAX_MEDIUM_BODIES = 256
/** The most of one user. */
export const MAX_MEDIUM_BODIES_PER_USER = 16

/** A request that is younger than this is never cut off. */
export const GRACE_MS = 5_000

/** Which requests share slots, and how many. */
interface Limits extends SlotLimits {
  readonly isConcerned: (request: FastifyRequest) => boolean
  /** The largest body in bytes. A request at whose rate it would not arrive within the time limit is too slow. */
  readonly maxBytes: number
}

const LARGE: Limits = {
  isConcerned: mayBeLarge,
  most: MAX_LARGE_BODIES,
  mostPerSender: MAX_LARGE_BODIES_PER_USER,
  maxBytes: MAX_IMAGE_REQUEST_BYTES,
}

/** Those of visitors have limits of their own (`anonymous-bodies.ts`). */
const MEDIUM: Limits = {
  isConcerned: request =>
    request.caller?.actor?.kind === 'user' && declaredBytes(request) > SMALL_BODY_BYTES && !mayBeLarge(request),
  most: MAX_MEDIUM_BODIES,
  mostPerSender: MAX_MEDIUM_BODIES_PER_USER,
  maxBytes: MAX_REQUEST_BYTES,
}

/**
 * Limits the memory that requests of users take. A request is large when its route has a body limit above the usual one, and
 * it may need that. A further one is refused: with 429 when the user has too many already, with 503 when all slots are taken and
 * none of them can be freed.
 */
export function limitLargeBodies(fastify: FastifyInstance, graceMs = GRACE_MS): void {
  for (const limits of [LARGE, MEDIUM]) limitBodies(fastify, limits, graceMs)
}

function limitBodies(fastify: FastifyInstance, { isConcerned, maxBytes, ...limits }: Limits, graceMs: number): void {
  const slots = new BodySlots(limits)
  const slowestBytesPerMs = maxBytes / REQUEST_TIMEOUT_MS
  /**
   * Cuts off one request to free its slot, if one may be cut off. When the new sender has a slot already, that is a request that is
   * too slow. When it has none, it is a request of a sender who has several, or else the one whose body takes the longest time. So
   * accounts that send large bodies just fast enough, each in one slot, cannot keep the slots. A small upload goes on, also from a
   * slow connection.
   */
  const freeSlot = (own: number): boolean => {
    if (own > 0) return slots.cutOff(graceMs, (_, bytesPerMs) => bytesPerMs < slowestBytesPerMs, 1) === 1
    return slots.cutOff(graceMs, sender => slots.countOf(sender) > 1, 1) === 1 || slots.cutOffLongest(graceMs)
  }
  beforeBodies(fastify, isConcerned, (request, reply) => {
    const { caller, ip } = request
    const sender = caller?.actor?.kind === 'user' ? caller.actor.id : ip
    slots.take(sender, request, reply, freeSlot)
  })
}
