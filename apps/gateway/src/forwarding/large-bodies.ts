import type { IncomingMessage } from 'node:http'
import { DomainError } from '@holdfast/kernel/errors'
import { MAX_IMAGE_REQUEST_BYTES } from '@holdfast/kernel/requests'
import { REQUEST_TIMEOUT_MS } from '@holdfast/service-kit/http/adapter'
import { mayBeLarge } from '@holdfast/service-kit/http/large-request'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** A request with images is held whole in memory, in several forms at its worst: so many at a time, of all users. */
export const MAX_LARGE_BODIES = 4
/** And so many of one user, so that nobody's slow line keeps everybody from offering something. */
export const MAX_LARGE_BODIES_PER_USER = 2
const RETRY_AFTER_SECONDS = 5

/**
 * A body that comes more slowly than one as large as may be must come to be here in time gives its place up, when others
 * wait for one: two accounts could hold all of them with a byte a second. Nobody is judged by the first moments.
 */
const SLOWEST_BYTES_PER_MS = MAX_IMAGE_REQUEST_BYTES / REQUEST_TIMEOUT_MS
export const UNJUDGED_MS = 5_000

interface Place {
  readonly sender: string
  readonly request: IncomingMessage
  readonly begunAt: number
  /** What the connection had carried before this request. */
  readonly bytesBefore: number
}

/** Bounds the memory that large requests take: those of routes whose limit is above the usual one. */
export function limitLargeBodies(fastify: FastifyInstance, unjudgedMs = UNJUDGED_MS): void {
  const places = new Set<Place>()

  const admit = ({ caller, ip, raw }: FastifyRequest, reply: FastifyReply): void => {
    const sender = caller?.actor?.kind === 'user' ? caller.actor.id : ip
    const own = [...places].filter(place => place.sender === sender)
    if (own.length >= MAX_LARGE_BODIES_PER_USER) throw refusal('RATE_LIMITED')
    if (places.size >= MAX_LARGE_BODIES && !makeRoom(places, unjudgedMs, own.length === 0)) throw refusal('UNAVAILABLE')
    const place = { sender, request: raw, begunAt: performance.now(), bytesBefore: raw.socket.bytesRead }
    places.add(place)
    reply.raw.once('close', () => places.delete(place))
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

const refusal = (code: 'RATE_LIMITED' | 'UNAVAILABLE') =>
  new DomainError(code, { retryAfterSeconds: RETRY_AFTER_SECONDS })

/**
 * Whether somebody gave their place up: one who dawdles, or one who has a second place while the newcomer has none. Two
 * accounts that send just fast enough could hold all of them otherwise.
 */
function makeRoom(places: Set<Place>, unjudgedMs: number, forNewcomer: boolean): boolean {
  const senders = [...places].map(({ sender }) => sender)
  for (const place of places) {
    const { request, begunAt, bytesBefore } = place
    const ms = performance.now() - begunAt
    const isSlow = request.socket.bytesRead - bytesBefore < ms * SLOWEST_BYTES_PER_MS
    const isSpare = forNewcomer && senders.filter(sender => sender === place.sender).length > 1
    if (request.complete || ms < unjudgedMs || !(isSlow || isSpare)) continue
    places.delete(place)
    request.destroy()
    return true
  }
  return false
}
