import type { IncomingMessage } from 'node:http'
import { DomainError } from '@holdfast/kernel/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const RETRY_AFTER_SECONDS = 5

/** One request whose body is being received, or that is being handled. */
interface Slot {
  readonly sender: string
  readonly request: IncomingMessage
  readonly begunAt: number
  /** Bytes that the connection had received before this request. */
  readonly bytesBefore: number
}

/** The requests with bodies that are received or handled now, by sender. */
export class BodySlots {
  readonly #slots = new Set<Slot>()

  get size(): number {
    return this.#slots.size
  }

  countOf(sender: string): number {
    return [...this.#slots].filter(slot => slot.sender === sender).length
  }

  /** Takes a slot for a request. It becomes free when the connection of the answer closes. */
  take(sender: string, { raw }: FastifyRequest, reply: FastifyReply): void {
    const slot = { sender, request: raw, begunAt: performance.now(), bytesBefore: raw.socket.bytesRead }
    this.#slots.add(slot)
    reply.raw.once('close', () => this.#slots.delete(slot))
  }

  /**
   * Cuts off requests whose bodies are still arriving, after a time of grace.
   *
   * @param isToEnd decides by the sender and by the rate at which the body has arrived, in bytes per millisecond
   * @param most how many are cut off at most
   * @returns how many were cut off
   */
  cutOff(graceMs: number, isToEnd: (sender: string, bytesPerMs: number) => boolean, most = this.size): number {
    const now = performance.now()
    let count = 0
    for (const slot of this.#slots) {
      if (count >= most) break
      const { sender, request, begunAt, bytesBefore } = slot
      const ms = now - begunAt
      if (request.complete || ms < graceMs || !isToEnd(sender, (request.socket.bytesRead - bytesBefore) / ms)) continue
      this.#slots.delete(slot)
      request.destroy()
      count++
    }
    return count
  }
}

/**
 * Calls `admit` before the body of a request is read; it refuses the request by throwing. A request whose connection is closed
 * is left out: it emits no second `close`, so its slot would never become free.
 */
export function beforeBodies(
  fastify: FastifyInstance,
  isConcerned: (request: FastifyRequest) => boolean,
  admit: (request: FastifyRequest, reply: FastifyReply) => void,
): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!isConcerned(request) || reply.raw.destroyed) return done()
    try {
      admit(request, reply)
      done()
    } catch (error) {
      done(error as Error)
    }
  })
}

/** The refusal of a request for which there is no slot: 429 when its sender has too many, 503 when all are taken. */
export const noSlot = (code: 'RATE_LIMITED' | 'UNAVAILABLE') =>
  new DomainError(code, { retryAfterSeconds: RETRY_AFTER_SECONDS })
