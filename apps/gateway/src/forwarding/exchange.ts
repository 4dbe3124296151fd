import { Readable } from 'node:stream'
import { MOST_SENDS } from '@holdfast/http-client/hedged'
import { DomainError } from '@holdfast/kernel/errors'
import { overloaded } from '@holdfast/service-kit/http/requests-under-way'
import { isSafe } from '@holdfast/service-kit/http/safe-methods'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { failSpan, type Span } from '@holdfast/service-kit/telemetry/telemetry'
import type { FastifyReply } from 'fastify'
import type { Dispatcher } from 'undici'
import type { Upstream } from '../services/upstreams.js'
import { forwardAnswerHead } from './forwarded-headers.js'
import { isTimeout, refuse, refuseUnanswered, sentAgain } from './unanswered.js'
import type { UnreadAnswers } from './unread-answers.js'

/** A shorter answer is collected and sent in one piece. A longer one is streamed. */
const GATHERED_ANSWER_BYTES = 64 * 1024
/** How long a client may take to read a streamed answer. */
export const MAX_STREAMING_MS = 60_000
/** How often a request is sent again when the connection fails. Only a read, or a request of which nothing was sent. */
const MAX_RETRIES = 2
const RETRY_AFTER_MS = 50

const log = loggerOf('forwarding')

export interface ForwardedRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path and query, exactly as they were signed. */
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: Buffer | null
  /** The user, or the address of a visitor, who gets the answer. */
  readonly client: string
  /** Whether it may be sent to another replica while the first one hangs. */
  readonly isRepeatable: boolean
}

/**
 * Forwards one request to a service and its answer to the client, without parsing either.
 *
 * It uses undici's lowest interface, so that a short answer needs no stream object. It ends in exactly one of three ways:
 * answered, refused with 503, or dropped because the client has gone.
 *
 * - A write whose client leaves is still carried out.
 * - A write of which a part was sent is sent again only if it is repeatable, and its replica hangs or its connection is lost.
 * - When the outcome is unknown, the 503 has `outcome: 'unknown'`.
 * - When it was sent twice, the answer that begins first is used.
 */
export class Exchange {
  /** Called when the service's answer begins, before anything of it is sent to the client. */
  onAnswer: (() => void) | null = null
  /** Called when the service answers 404. Returns whether the deal of the request exists nevertheless. */
  dealExists: (() => Promise<boolean>) | null = null
  queuedAtMs = 0
  /** The attempts that have no end yet. */
  private readonly attempts = new Set<Attempt>()
  private sends = 0
  /** The attempt whose answer has begun. */
  private answering: Attempt | null = null
  isOver = false
  private retries = 0
  private readonly chunks: Buffer[] = []
  private gathered = 0
  private stream: Readable | null = null

  constructor(
    private readonly upstream: Upstream,
    private readonly request: ForwardedRequest,
    private readonly reply: FastifyReply,
    private readonly unread: UnreadAnswers,
    /** From the start to the end of the exchange; null when it is not recorded. */
    private readonly span: Span | null = null,
    /** Whether the service may have received the request: also in a batch before, whose connection was lost. */
    private wasSent = false,
  ) {}

  /** Sends the request. Never throws: every outcome goes to the reply. */
  start(): void {
    if (this.upstream.refuses(this.request)) return void this.reply.send(overloaded())
    this.upstream.underWay++
    if (isSafe(this.request.method)) this.reply.raw.once('close', this.onClientGone)
    this.send()
  }

  /** No connection became free in time. An attempt that is under way still decides; without one the request is refused. */
  giveUp(): void {
    this.stopWaiting()
    if (this.attempts.size === 0) this.fail(new Error(`no connection to ${this.upstream.service} became free`))
  }

  private send(): void {
    const attempt = new Attempt(this)
    this.attempts.add(attempt)
    this.sends++
    const options = { ...this.request, onReplicaHangs: () => this.sendAgain() }
    this.upstream.pool.dispatch(options, attempt)
    if (attempt.controller !== null || !this.attempts.has(attempt)) return
    this.queuedAtMs = performance.now()
    this.upstream.queue(this)
  }

  /** An attempt has got a connection. @returns whether the request may be written to it */
  begin(attempt: Attempt): boolean {
    if (this.isOver || !this.attempts.has(attempt)) return false
    this.wasSent = true
    this.upstream.unqueue(this)
    return true
  }

  /** Whether the answer of an attempt is used: that of no other one has begun. */
  accepts(attempt: Attempt): boolean {
    return !this.isOver && (this.answering ?? attempt) === attempt
  }

  private sendAgain(): void {
    if (this.isOver || this.answering || this.sends >= MOST_SENDS || !this.request.isRepeatable) return
    sentAgain.inc({ service: this.upstream.service })
    this.send()
  }

  answerBegins(attempt: Attempt, status: number, headers: Record<string, string | string[] | undefined>): void {
    this.answering = attempt
    this.stopWaiting()
    this.onAnswer?.()
    forwardAnswerHead(this.reply, status, headers)
  }

  answerGoesOn(chunk: Buffer): void {
    if (this.stream) {
      this.stream.push(chunk)
      this.unread.keepWithinLimit()
      return
    }
    this.chunks.push(chunk)
    this.gathered += chunk.length
    if (this.gathered > GATHERED_ANSWER_BYTES) this.beginStream()
  }

  answerEnds(): void {
    this.finish()
    if (this.stream) this.stream.push(null)
    else if (this.reply.statusCode === 404 && this.dealExists) void this.confirmNotFound(this.dealExists)
    else this.sendGathered()
  }

  /** Until a service has received the event of a new deal, it answers 404 for that deal. The client then gets 503. */
  private async confirmNotFound(dealExists: () => Promise<boolean>): Promise<void> {
    try {
      if (!(await dealExists())) return this.sendGathered()
    } catch (error) {
      log.warn({ err: error, service: this.upstream.service }, 'a 404 could not be checked with escrow-svc')
    }
    refuse(this.reply, new DomainError('UNAVAILABLE'))
  }

  private sendGathered(): void {
    if (this.gathered === 0) this.reply.send()
    else this.reply.send(this.chunks.length === 1 ? this.chunks[0] : Buffer.concat(this.chunks, this.gathered))
  }

  /** An attempt has failed. While another one is under way, that one decides. */
  failed(attempt: Attempt, error: Error): void {
    if (!this.attempts.delete(attempt) || !this.accepts(attempt)) return
    if (this.answering === null && this.attempts.size > 0) return
    if (this.stream) {
      this.finish()
      this.stream.destroy(error)
    } else if (this.mayRetry(attempt, error)) {
      this.retries++
      setTimeout(() => this.isOver || this.send(), RETRY_AFTER_MS * this.retries)
    } else this.fail(error)
  }

  /** A request of which nothing was sent, or a repeatable one, may be sent again, unless its answer has begun or timed out. */
  private mayRetry(attempt: Attempt, error: Error): boolean {
    if (this.answering === attempt || this.retries >= MAX_RETRIES || isTimeout(error)) return false
    return !this.wasSent || isSafe(this.request.method) || this.request.isRepeatable
  }

  private fail(error: Error): void {
    if (this.isOver) return
    if (this.span) failSpan(this.span, error)
    this.finish()
    const { method } = this.request
    refuseUnanswered(this.reply, { error, service: this.upstream.service, method, wasSent: this.wasSent })
  }

  /**
   * Streams the rest of the answer. It is read from the service at once, and waits in memory for the client: a client that
   * reads slowly must not keep one of the few connections to the service.
   */
  private beginStream(): void {
    const stream = new Readable({
      read: () => {},
      destroy: (error, done) => {
        clearTimeout(tooLong)
        if (!this.isOver) this.drop()
        done(error)
      },
    })
    const tooLong = setTimeout(() => stream.destroy(new Error('the client reads too slowly')), MAX_STREAMING_MS)
    // The open connection keeps the process running. The timer must not do so on its own.
    tooLong.unref()
    for (const chunk of this.chunks) stream.push(chunk)
    this.chunks.length = 0
    this.stream = stream
    this.unread.add(stream, this.request.client)
    this.reply.send(stream)
  }

  private readonly onClientGone = (): void => {
    if (!this.isOver) this.drop()
  }

  private drop(): void {
    this.finish()
    for (const { controller } of this.attempts) controller?.abort(new Error('the client has gone'))
  }

  private finish(): void {
    this.isOver = true
    this.span?.end()
    this.upstream.underWay--
    this.stopWaiting()
    this.reply.raw.removeListener('close', this.onClientGone)
  }

  /** Takes back the attempt that waits for a connection, if there is one. */
  private stopWaiting(): void {
    this.upstream.unqueue(this)
    for (const attempt of this.attempts) {
      if (attempt.controller !== null) continue
      this.attempts.delete(attempt)
      this.upstream.pool.takeBack(attempt)
    }
  }
}

/** One sending of an exchange's request, as undici reports about it. */
class Attempt implements Dispatcher.DispatchHandler {
  controller: Dispatcher.DispatchController | null = null

  constructor(private readonly exchange: Exchange) {}

  /** undici calls this when it begins to write the request. Nothing was sent before that. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    if (!this.exchange.begin(this)) controller.abort(new Error('the exchange no longer needs this attempt'))
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status >= 200 && this.exchange.accepts(this)) this.exchange.answerBegins(this, status, headers)
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.exchange.accepts(this)) this.exchange.answerGoesOn(chunk)
  }

  onResponseEnd(): void {
    if (this.exchange.accepts(this)) this.exchange.answerEnds()
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: Error): void {
    this.exchange.failed(this, error)
  }
}
