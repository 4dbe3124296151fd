import type { IncomingMessage } from 'node:http'
import { DomainError } from '@holdfast/kernel/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { WEBHOOKS_PATH } from './ingress.js'

/** The largest body of a request without a session. A sign-up is smaller. */
export const MAX_ANONYMOUS_REQUEST_BYTES = 64 * 1024
/** The largest body of a webhook event. */
export const MAX_WEBHOOK_BYTES = 256 * 1024
/** The most requests with a body, from one address and without a session, that may be received or handled at a time. */
export const MAX_ANONYMOUS_BODIES_PER_ADDRESS = 64
/** The same from all addresses. Together they may take 64 MB, or 256 MB when all are webhook events. */
export const MAX_ANONYMOUS_BODIES = 1_024
/** A body that arrives more slowly than this is cut off. */
export const SLOWEST_BYTES_PER_SECOND = 1_024
/** A request that is younger than this is never cut off. */
const GRACE_MS = 5_000
const SWEEP_MS = 1_000
const MS_PER_SECOND = 1_000
const RETRY_AFTER_SECONDS = 5

/** One request that is being received or handled. */
interface Slot {
  readonly address: string
  readonly request: IncomingMessage
  readonly begunAt: number
  /** Bytes that the connection had received before this request. */
  readonly bytesBefore: number
}

/**
 * Limits the memory that senders without a session can take: the size of a body, the number of requests of an address and in
 * all, and how slowly a body may arrive. A further request is refused with 429 or 503.
 */
export function limitAnonymousBodies(fastify: FastifyInstance, graceMs = GRACE_MS): void {
  const slots = new Set<Slot>()
  const sweeper = setInterval(() => cutOffSlow(slots, graceMs), Math.min(SWEEP_MS, graceMs))
  sweeper.unref()
  fastify.addHook('onClose', (_, done) => {
    clearInterval(sweeper)
    done()
  })
  fastify.addHook('onRoute', definition => {
    const route = definition.config?.route
    if (route?.access === 'public' || route?.access === 'visitor') definition.bodyLimit = maxBytesOf(route.path)
  })
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!hasBody(request) || request.caller?.actor?.kind === 'user' || reply.raw.destroyed) return done()
    try {
      takeSlot(slots, request, reply)
      done()
    } catch (error) {
      done(error as Error)
    }
  })
}

/** @throws DomainError PAYLOAD_TOO_LARGE, RATE_LIMITED or UNAVAILABLE */
function takeSlot(slots: Set<Slot>, request: FastifyRequest, reply: FastifyReply): void {
  const { raw, ip: address } = request
  // Fastify itself limits a body of unknown length, but by its own limit when no route matches.
  const bytes = Number(request.headers['content-length'] ?? (request.is404 ? Number.POSITIVE_INFINITY : 0))
  if (bytes > maxBytesOf(request.url)) throw new DomainError('PAYLOAD_TOO_LARGE')
  const own = [...slots].filter(slot => slot.address === address)
  if (own.length >= MAX_ANONYMOUS_BODIES_PER_ADDRESS) throw refusal('RATE_LIMITED')
  if (slots.size >= MAX_ANONYMOUS_BODIES) throw refusal('UNAVAILABLE')
  const slot = { address, request: raw, begunAt: performance.now(), bytesBefore: raw.socket.bytesRead }
  slots.add(slot)
  reply.raw.once('close', () => slots.delete(slot))
}

function cutOffSlow(slots: Set<Slot>, graceMs: number): void {
  const now = performance.now()
  for (const slot of slots) {
    const { request, begunAt, bytesBefore } = slot
    const ms = now - begunAt
    const bytes = request.socket.bytesRead - bytesBefore
    if (request.complete || ms < graceMs || bytes * MS_PER_SECOND >= ms * SLOWEST_BYTES_PER_SECOND) continue
    slots.delete(slot)
    request.destroy()
  }
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const maxBytesOf = (path: string): number =>
  path.startsWith(WEBHOOKS_PATH) ? MAX_WEBHOOK_BYTES : MAX_ANONYMOUS_REQUEST_BYTES

const refusal = (code: 'RATE_LIMITED' | 'UNAVAILABLE') =>
  new DomainError(code, { retryAfterSeconds: RETRY_AFTER_SECONDS })
