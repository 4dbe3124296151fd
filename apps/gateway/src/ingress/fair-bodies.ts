import type { IncomingMessage } from 'node:http'
import { DomainError } from '@holdfast/kernel/errors'
import { declaredBytes } from '@holdfast/service-kit/http/large-request'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RefusedBodies } from './refused-bodies.js'
import type { Sender } from './sender.js'

const RETRY_AFTER_SECONDS = 5
/** How often we look whether room can be made for those who wait. */
const LOOK_EVERY_MS = 500
/** The most requests that wait. Their bodies are not read, so each needs a socket and no more. */
const MAX_WAITING = 64

export interface BodyLimits {
  /** The bytes that all bodies may take together. A body counts with the length that it declares. */
  readonly mostBytes: number
  /** The largest body. One of unknown length counts as this large. */
  readonly maxBytes: number
  /** How many bodies of one person may arrive, wait or be handled at the same time. */
  readonly mostPerPerson: number
  /** A body that is younger than this, in milliseconds, is not called slow. */
  readonly graceMs: number
  /** A body that arrives more slowly than this may be cut off while others wait. */
  readonly slowestBytesPerSecond: number
  /** After this time in milliseconds, a request that waits is refused. */
  readonly waitMs: number
}

interface Body extends Sender {
  readonly bytes: number
  readonly request: IncomingMessage
}

interface ArrivingBody extends Body {
  readonly begunAt: number
  /** Bytes that the connection had received before this body. */
  readonly bytesBefore: number
}

interface WaitingBody extends Body {
  readonly admit: () => void
  readonly refuse: (refusal: DomainError) => void
}

/**
 * Shares the memory for large bodies fairly among persons and addresses.
 *
 * A request for which there is no room waits, before its body is read. First comes the sender with the fewest refused bodies, and then the
 * one who would take the least. To make room, bodies that still arrive are cut off, in this order: of senders with more refused bodies than
 * the one who waits; of senders who would still have at least as many bytes as the one who waits would get; and those that arrive too slowly,
 * the slowest first.
 * When none of these is left, the request waits until a body has ended.
 */
export class FairBodies {
  readonly #limits: BodyLimits
  readonly #arriving = new Set<ArrivingBody>()
  readonly #waiting = new Set<WaitingBody>()
  readonly #refused = new RefusedBodies()
  #looking: NodeJS.Timeout | undefined

  constructor(limits: BodyLimits) {
    this.#limits = limits
  }

  /**
   * Calls `done` as soon as there is room for the body of a request, or with the refusal: `RATE_LIMITED` when its person has too many
   * already, `UNAVAILABLE` when too many wait or no room came free in time. Never calls it when the client leaves before.
   */
  take(sender: Sender, request: FastifyRequest, reply: FastifyReply, done: (refusal?: DomainError) => void): void {
    const ofPerson = [...this.#arriving, ...this.#waiting].filter(({ person }) => person === sender.person)
    if (ofPerson.length >= this.#limits.mostPerPerson) {
      done(noRoom('RATE_LIMITED'))
      return
    }
    const bytes = Math.min(declaredBytes(request), this.#limits.maxBytes) || this.#limits.maxBytes
    const body = { ...sender, bytes, request: request.raw }
    const leave = () => {
      clearTimeout(late)
      this.#waiting.delete(waiting)
    }
    const refuse = (refusal: DomainError) => {
      reply.raw.off('close', leave)
      leave()
      done(refusal)
    }
    const admit = () => {
      reply.raw.off('close', leave)
      leave()
      this.#receive(body, reply)
      done()
    }
    const waiting: WaitingBody = { ...body, admit, refuse }
    const late = setTimeout(() => refuse(noRoom('UNAVAILABLE')), this.#limits.waitMs).unref()
    reply.raw.once('close', leave)
    this.#waiting.add(waiting)
    this.#makeRoom()
    if (this.#waiting.size > MAX_WAITING) this.#inOrder().at(-1)!.refuse(noRoom('UNAVAILABLE'))
  }

  #receive(body: Body, reply: FastifyReply): void {
    const arriving = { ...body, begunAt: performance.now(), bytesBefore: body.request.socket.bytesRead }
    this.#arriving.add(arriving)
    reply.raw.once('close', () => {
      // One that was cut off is not counted as refused.
      if (!this.#arriving.delete(arriving)) return
      const wasRefused = !body.request.complete || (reply.statusCode >= 400 && reply.statusCode < 500)
      if (wasRefused) this.#refused.count(body)
      else if (reply.statusCode < 400) this.#refused.forget(body)
      this.#makeRoom()
    })
  }

  /** Admits those who wait, as far as there is room or can be made. */
  #makeRoom(): void {
    for (const waiting of this.#inOrder()) {
      const missing = waiting.bytes - (this.#limits.mostBytes - sumOf(this.#arriving))
      const cutOff = missing > 0 ? this.#toCutOffFor(waiting, missing) : []
      if (cutOff === null) break
      for (const body of cutOff) {
        this.#arriving.delete(body)
        body.request.destroy()
      }
      waiting.admit()
    }
    if (this.#waiting.size > 0) this.#looking ??= setInterval(() => this.#makeRoom(), LOOK_EVERY_MS).unref()
    else {
      clearInterval(this.#looking)
      this.#looking = undefined
    }
  }

  #inOrder(): WaitingBody[] {
    const standing = new Map([...this.#waiting].map(body => [body, this.#standingOf(body)]))
    return [...this.#waiting].sort((a, b) => {
      const [one, other] = [standing.get(a)!, standing.get(b)!]
      return one.refused - other.refused || one.bytes - other.bytes
    })
  }

  /** How many refused bodies a sender has, and how many bytes when this body is received as well. */
  #standingOf(body: Body): { refused: number; bytes: number } {
    return { refused: this.#refused.of(body), bytes: this.#shareOf(body) + body.bytes }
  }

  /** The bytes of a person or of an address, whichever are more. */
  #shareOf({ person, address }: Sender): number {
    const arriving = [...this.#arriving]
    return Math.max(
      sumOf(arriving.filter(body => body.person === person)),
      sumOf(arriving.filter(body => body.address === address)),
    )
  }

  /** The bodies to cut off, so that this many bytes become free for one who waits; null when there are not enough. */
  #toCutOffFor(waiting: WaitingBody, missing: number): ArrivingBody[] | null {
    const { refused, bytes } = this.#standingOf(waiting)
    const arriving = [...this.#arriving].filter(({ request }) => !request.complete)
    const shares = new Map(arriving.map(body => [body, this.#shareOf(body)]))
    const refusals = new Map(arriving.map(body => [body, this.#refused.of(body)]))
    const rates = new Map(arriving.map(body => [body, this.#rateOf(body)]))
    const worse = arriving
      .filter(body => refusals.get(body)! > refused)
      .sort((a, b) => refusals.get(b)! - refusals.get(a)! || rates.get(a)! - rates.get(b)!)
    const equal = arriving.filter(body => refusals.get(body)! === refused)
    const greedy = equal
      .filter(body => shares.get(body)! - body.bytes >= bytes)
      .sort((a, b) => shares.get(b)! - shares.get(a)! || rates.get(a)! - rates.get(b)!)
    const slow = equal
      .filter(body => rates.get(body)! < this.#limits.slowestBytesPerSecond)
      .sort((a, b) => rates.get(a)! - rates.get(b)!)
    const cutOff = new Set<ArrivingBody>()
    for (const body of [...worse, ...greedy, ...slow]) {
      if (sumOf(cutOff) >= missing) break
      cutOff.add(body)
    }
    return sumOf(cutOff) >= missing ? [...cutOff] : null
  }

  /** The rate at which a body has arrived, in bytes per second; infinite for one that has only just begun. */
  #rateOf({ request, begunAt, bytesBefore }: ArrivingBody): number {
    const ms = performance.now() - begunAt
    return ms < this.#limits.graceMs
      ? Number.POSITIVE_INFINITY
      : ((request.socket.bytesRead - bytesBefore) / ms) * 1_000
  }
}

const sumOf = (bodies: Iterable<Body>): number => [...bodies].reduce((sum, { bytes }) => sum + bytes, 0)

const noRoom = (code: 'RATE_LIMITED' | 'UNAVAILABLE') =>
  new DomainError(code, { retryAfterSeconds: RETRY_AFTER_SECONDS })
