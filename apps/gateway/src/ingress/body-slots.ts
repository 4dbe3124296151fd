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

/** A request whose body is still arriving, and the rate at which it has arrived. */
interface Arriving {
  readonly slot: Slot
  readonly bytesPerMs: number
}

/** How many requests may be received or handled at a time. */
export interface SlotLimits {
  readonly most: number
  readonly mostPerSender: number
}

/** The requests with bodies that are received or handled now, by sender. */
export class BodySlots {
  readonly #slots = new Set<Slot>()
  readonly #counts = new Map<string, number>()
  readonly #limits: SlotLimits

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  countOf(sender: string): number {
    return this.#counts.get(sender) ?? 0
  }

  /**
   * Takes a slot for a request. It becomes free when the connection of the answer closes.
   *
   * @param makeRoom is asked to free a slot when all are taken; it gets the number that the sender has already
   * @throws DomainError `RATE_LIMITED` when the sender has too many, `UNAVAILABLE` when all are taken
   */
  take(sender: string, { raw }: FastifyRequest, reply: FastifyReply, makeRoom: (own: number) => boolean): void {
    const own = this.countOf(sender)
    if (own >= this.#limits.mostPerSender) throw noSlot('RATE_LIMITED')
    if (this.#slots.size >= this.#limits.most && !makeRoom(own)) throw noSlot('UNAVAILABLE')
    const slot = { sender, request: raw, begunAt: performance.now(), bytesBefore: raw.socket.bytesRead }
    this.#slots.add(slot)
    // Making room may have cut off a request of the same sender.
    this.#counts.set(sender, this.countOf(sender) + 1)
    reply.raw.once('close', () => this.#free(slot))
  }

  #free(slot: Slot): void {
    if (!this.#slots.delete(slot)) return
    const left = this.countOf(slot.sender) - 1
    if (left > 0) this.#counts.set(slot.sender, left)
    else this.#counts.delete(slot.sender)
  }

  /**
   * Cuts off a request whose body is still arriving, of a sender that would still have more than the new one.
   *
   * @param count how many requests the new sender would have
   * @returns whether a slot became free
   */
  cutOffInFavourOf(count: number): boolean {
    return this.cutOff(0, sender => this.countOf(sender) - 1 > count, 1) === 1
  }

  /**
   * Cuts off requests whose bodies are still arriving, after a time of grace.
   *
   * @param isToEnd decides by the sender and by the rate at which the body has arrived, in bytes per millisecond
   * @param most how many are cut off at most
   * @returns how many were cut off
   */
  cutOff(graceMs: number, isToEnd: (sender: string, bytesPerMs: number) => boolean, most = this.#slots.size): number {
    let count = 0
    for (const { slot, bytesPerMs } of this.#arriving(graceMs)) {
      if (count >= most) break
      if (!isToEnd(slot.sender, bytesPerMs)) continue
      this.#end(slot)
      count++
    }
    return count
  }

  *#arriving(graceMs: number): Generator<Arriving> {
    const now = performance.now()
    for (const slot of this.#slots) {
      const { request, begunAt, bytesBefore } = slot
      const ms = now - begunAt
      if (request.complete || ms < graceMs) continue
      yield { slot, bytesPerMs: (request.socket.bytesRead - bytesBefore) / ms }
    }
  }

  #end(slot: Slot): void {
    this.#free(slot)
    slot.request.destroy()
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
const noSlot = (code: 'RATE_LIMITED' | 'UNAVAILABLE') =>
  new DomainError(code, { retryAfterSeconds: RETRY_AFTER_SECONDS })
