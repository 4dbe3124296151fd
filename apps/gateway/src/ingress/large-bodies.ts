import type { IncomingMessage } from 'node:http'
import { DomainError } from '@holdfast/kernel/errors'
import { MAX_IMAGE_REQUEST_BYTES } from '@holdfast/kernel/requests'
import { REQUEST_TIMEOUT_MS } from '@holdfast/service-kit/http/adapter'
import { mayBeLarge } from '@holdfast/service-kit/http/large-request'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** The most large requests at a time. Each is in memory completely, and for a moment in more than one form. */
export const MAX_LARGE_BODIES = 4
/** The most of one user, so that a user with a slow connection does not take all slots. */
export const MAX_LARGE_BODIES_PER_USER = 2
const RETRY_AFTER_SECONDS = 5

/**
 * A request below this rate may be cut off when others wait for a slot: at this rate the largest allowed body would just
 * arrive within the time limit. Without it two accounts could keep all slots by sending one byte a second.
 */
const SLOWEST_BYTES_PER_MS = MAX_IMAGE_REQUEST_BYTES / REQUEST_TIMEOUT_MS
/** A request that is younger than this is never cut off. */
export const GRACE_MS = 5_000

/** One large request that is being received or handled. */
interface Slot {
  readonly sender: string
  readonly request: IncomingMessage
  readonly begunAt: number
  /** Bytes that the connection had received before this request. */
  readonly bytesBefore: number
}

/**
 * Limits the memory that large requests take. A request is large when its route has a body limit above the usual one. A
 * further one is refused: with 429 when the user has too many already, with 503 when all slots are taken.
 */
export function limitLargeBodies(fastify: FastifyInstance, graceMs = GRACE_MS): void {
  const slots = new Set<Slot>()

  const takeSlot = ({ caller, ip, raw }: FastifyRequest, reply: FastifyReply): void => {
    const sender = caller?.actor?.kind === 'user' ? caller.actor.id : ip
    const own = [...slots].filter(slot => slot.sender === sender)
    if (own.length >= MAX_LARGE_BODIES_PER_USER) throw refusal('RATE_LIMITED')
    if (slots.size >= MAX_LARGE_BODIES && !freeSlot(slots, graceMs, own.length === 0)) throw refusal('UNAVAILABLE')
    const slot = { sender, request: raw, begunAt: performance.now(), bytesBefore: raw.socket.bytesRead }
    slots.add(slot)
    reply.raw.once('close', () => slots.delete(slot))
  }

  fastify.addHook('onRequest', (request, reply, done) => {
    // A closed connection sends no second `close`, so its slot would never become free.
    if (!mayBeLarge(request) || reply.raw.destroyed) return done()
    try {
      takeSlot(request, reply)
      done()
    } catch (error) {
      done(error as Error)
    }
  })
}

const refusal = (code: 'RATE_LIMITED' | 'UNAVAILABLE') =>
  new DomainError(code, { retryAfterSeconds: RETRY_AFTER_SECONDS })

/**
 * Cuts off one request to free its slot, if one may be cut off. That is one that is too slow, or the second one of a user
 * while the new sender has none. Otherwise two accounts that send just fast enough could keep all slots.
 *
 * @returns whether a slot became free
 */
function freeSlot(slots: Set<Slot>, graceMs: number, isFirstOfSender: boolean): boolean {
  const senders = [...slots].map(({ sender }) => sender)
  for (const slot of slots) {
    const { request, begunAt, bytesBefore } = slot
    const ms = performance.now() - begunAt
    const isSlow = request.socket.bytesRead - bytesBefore < ms * SLOWEST_BYTES_PER_MS
    const isSecond = isFirstOfSender && senders.filter(sender => sender === slot.sender).length > 1
    if (request.complete || ms < graceMs || !(isSlow || isSecond)) continue
    slots.delete(slot)
    request.destroy()
    return true
  }
  return false
}
