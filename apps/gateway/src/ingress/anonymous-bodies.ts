import { DomainError } from '@holdfast/kernel/errors'
import { MAX_ANONYMOUS_REQUEST_BYTES } from '@holdfast/kernel/requests'
import { addressKey } from '@holdfast/service-kit/auth/address-key'
import { declaredBytes } from '@holdfast/service-kit/http/large-request'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BodySlots, beforeBodies } from './body-slots.js'

/** The most requests with a body, from one address (as `addressKey`) and without a session, that may be received or handled at a time. */
export const MAX_ANONYMOUS_BODIES_PER_ADDRESS = 64
/** The same from all addresses. Together they may take 16 MB, or 256 MB when all are webhook events. */
export const MAX_ANONYMOUS_BODIES = 1_024
/** A body that arrives more slowly than this is cut off. */
const SLOWEST_BYTES_PER_SECOND = 1_024
/** A request that is younger than this is never cut off. */
const GRACE_MS = 5_000
const SWEEP_MS = 1_000
const MS_PER_SECOND = 1_000

/**
 * Limits the memory that senders without a session can take: the number of requests of an address and in all, and how slowly a
 * body may arrive. A further request is refused with 429, or with 503 when no address has more than its own. How large a body may be
 * stands in the route's contract (`maxBodyBytesOf`).
 */
export function limitAnonymousBodies(fastify: FastifyInstance, graceMs = GRACE_MS): void {
  const slots = new BodySlots({ most: MAX_ANONYMOUS_BODIES, mostPerSender: MAX_ANONYMOUS_BODIES_PER_ADDRESS })
  const isTooSlow = (_: string, bytesPerMs: number) => bytesPerMs * MS_PER_SECOND < SLOWEST_BYTES_PER_SECOND
  const sweeper = setInterval(() => slots.cutOff(graceMs, isTooSlow), Math.min(SWEEP_MS, graceMs))
  sweeper.unref()
  fastify.addHook('onClose', (_, done) => {
    clearInterval(sweeper)
    done()
  })
  const isConcerned = (request: FastifyRequest) => hasBody(request) && request.caller?.actor?.kind !== 'user'
  beforeBodies(fastify, isConcerned, (request, reply) => {
    // Fastify itself limits the body of a route, also one of unknown length. Where no route matches, its limit is that of users.
    if (request.is404 && declaredBytes(request) > MAX_ANONYMOUS_REQUEST_BYTES)
      throw new DomainError('PAYLOAD_TOO_LARGE')
    // Otherwise 16 addresses could keep all slots. Then no other user could sign in, and the provider's events would be refused.
    slots.take(addressKey(request.ip), request, reply, own => slots.cutOffInFavourOf(own + 1))
  })
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
