import { MAX_IMAGE_REQUEST_BYTES } from '@holdfast/kernel/requests'
import { REQUEST_TIMEOUT_MS } from '@holdfast/service-kit/http/adapter'
import { mayBeLarge } from '@holdfast/service-kit/http/large-request'
import type { FastifyInstance } from 'fastify'
import { BodySlots, beforeBodies, noSlot } from './body-slots.js'

/** The most large requests at a time. Each is in memory completely, and for a moment in more than one form. */
export const MAX_LARGE_BODIES = 4
/** The most of one user, so that a user with a slow connection does not take all slots. */
export const MAX_LARGE_BODIES_PER_USER = 2

/**
 * A request below this rate may be cut off when others wait for a slot: at this rate the largest allowed body would just
 * arrive within the time limit. Without it two accounts could keep all slots by sending one byte a second.
 */
const SLOWEST_BYTES_PER_MS = MAX_IMAGE_REQUEST_BYTES / REQUEST_TIMEOUT_MS
/** A request that is younger than this is never cut off. */
export const GRACE_MS = 5_000

/**
 * Limits the memory that large requests take. A request is large when its route has a body limit above the usual one. A
 * further one is refused: with 429 when the user has too many already, with 503 when all slots are taken.
 */
export function limitLargeBodies(fastify: FastifyInstance, graceMs = GRACE_MS): void {
  const slots = new BodySlots()
  beforeBodies(fastify, mayBeLarge, (request, reply) => {
    const { caller, ip } = request
    const sender = caller?.actor?.kind === 'user' ? caller.actor.id : ip
    const own = slots.countOf(sender)
    if (own >= MAX_LARGE_BODIES_PER_USER) throw noSlot('RATE_LIMITED')
    if (slots.size >= MAX_LARGE_BODIES && !freeSlot(slots, graceMs, own === 0)) throw noSlot('UNAVAILABLE')
    slots.take(sender, request, reply)
  })
}

/**
 * Cuts off one request to free its slot, if one may be cut off. That is one that is too slow, or the second one of a user
 * while the new sender has none. Otherwise two accounts that send just fast enough could keep all slots.
 *
 * @returns whether a slot became free
 */
function freeSlot(slots: BodySlots, graceMs: number, isFirstOfSender: boolean): boolean {
  const isToEnd = (sender: string, bytesPerMs: number) =>
    bytesPerMs < SLOWEST_BYTES_PER_MS || (isFirstOfSender && slots.countOf(sender) > 1)
  return slots.cutOff(graceMs, isToEnd, 1) === 1
}
