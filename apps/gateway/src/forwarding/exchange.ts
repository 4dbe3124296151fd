import { Readable } from 'node:stream'
import { DomainError } from '@holdfast/kernel/errors'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { counter } from '@holdfast/service-kit/telemetry/metrics'
import type { FastifyReply } from 'fastify'
import type { Dispatcher } from 'undici'
import { FORWARDED_RESPONSE_HEADERS } from './forwarded-headers.js'
import { isRead } from './same-site.js'
import type { Upstream } from './upstreams.js'

/** An answer up to here is sent in one piece; a longer one flows through as it comes. */
export const GATHERED_ANSWER_BYTES = 64 * 1024
/**
 * So much of a long answer may wait here for a slow reader, and for so long: more than our pictures have, so that who
 * reads slowly, or not at all, holds none of the few connections to a service for long.
 */
export const UNREAD_ANSWER_BYTES = 1024 * 1024
export const MAX_STREAMING_MS = 60_000
/** A read, and whatever was never sent, is tried so often again when the connection fails. */
export const MAX_RETRIES = 2
const RETRY_AFTER_MS = 50

export const UNKNOWN_OUTCOME_MESSAGE =
  'We could not tell whether this was done. Please try again, with the same Idempotency-Key if there was one.'

const log = loggerOf('forwarding')
const upstreamFailures = counter('gateway_upstream_failures_total', 'Requests that a service gave no answer to', [
  'service',
  'outcome',
])

export interface ForwardedRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path and query, exactly as they were signed. */
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: Buffer | null
}

/**
 * One request on its way to a service, and the answer's way back, byte by byte.
 *
 * It speaks undici's lowest interface: no stream object is made for an answer that is one packet. It ends in exactly one
 * of three ways: answered, refused with 503, or dropped because nobody listens any more. A write is never dropped and never
 * sent twice; when its fate is unknown the refusal says so.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  /** Called when the service has answered, before the client hears of it. */
  onAnswer: (() => void) | null = null
  /** Asks whoever knows whether what the service answers 404 for exists after all. */
  exists: (() => Promise<boolean>) | null = null
  queuedAtMs = 0
  private controller: Dispatcher.DispatchController | null = null
  private over = false
  private answering = false
  private retries = 0
  private readonly chunks: Buffer[] = []
  private gathered = 0
  private stream: Readable | null = null

  constructor(
    private readonly upstream: Upstream,
    private readonly request: ForwardedRequest,
    private readonly reply: FastifyReply,
  ) {}

  /** Sends it. Nothing is thrown: the outcome goes to the reply. */
  start(): void {
    if (this.upstream.full) return void this.reply.send(new DomainError('UNAVAILABLE'))
    this.upstream.underWay++
    if (isRead(this.request.method)) this.reply.raw.once('close', this.onClientGone)
    this.send()
  }

  /** It has waited too long for a connection. */
  giveUp(): void {
    this.fail(new Error(`no connection to ${this.upstream.service} became free`))
  }

  private send(): void {
    this.upstream.pool.dispatch(this.request as Dispatcher.DispatchOptions, this)
    if (this.controller !== null || this.over) return
    this.queuedAtMs = performance.now()
    this.upstream.queue(this)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.upstream.unqueue(this)
    if (this.over) controller.abort(new Error('nobody waits for this any more'))
    else this.controller = controller
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200 || this.over) return
    this.answering = true
    this.onAnswer?.()
    this.reply.code(status)
    for (const name of FORWARDED_RESPONSE_HEADERS) {
      const value = headers[name]
      if (value !== undefined) this.reply.header(name, value)
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.stream) {
      if (!this.stream.push(chunk)) controller.pause()
      return
    }
    this.chunks.push(chunk)
    this.gathered += chunk.length
    if (this.gathered > GATHERED_ANSWER_BYTES) this.beginStream(controller)
  }

  onResponseEnd(): void {
    if (this.over) return
    this.finish()
    if (this.stream) this.stream.push(null)
    else if (this.reply.statusCode === 404 && this.exists) void this.checkAbsence(this.exists)
    else this.sendGathered()
  }

  /** The service has perhaps not heard yet of what exists: that is "not now", and no "there is none". */
  private async checkAbsence(exists: () => Promise<boolean>): Promise<void> {
    try {
      if (!(await exists())) return this.sendGathered()
    } catch (error) {
      log.warn({ err: error, service: this.upstream.service }, 'nobody could tell whether it exists')
    }
    this.refuse(new DomainError('UNAVAILABLE'))
  }

  private sendGathered(): void {
    if (this.gathered === 0) this.reply.send()
    else this.reply.send(this.chunks.length === 1 ? this.chunks[0] : Buffer.concat(this.chunks, this.gathered))
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: Error): void {
    if (this.over) return
    if (this.stream) {
      this.finish()
      this.stream.destroy(error)
    } else if (this.mayRetry(error)) {
      this.retries++
      this.controller = null
      setTimeout(() => this.over || this.send(), RETRY_AFTER_MS * this.retries)
    } else this.fail(error)
  }

  /** What never left, or changes nothing, can be sent again; but not once its answer has begun or its time is up. */
  private mayRetry(error: Error): boolean {
    if (this.answering || this.retries >= MAX_RETRIES || isTimeout(error)) return false
    return this.neverSent || isRead(this.request.method)
  }

  /** undici tells when it begins to write a request; before that, not a byte has left. */
  private get neverSent(): boolean {
    return this.controller === null
  }

  private fail(error: Error): void {
    if (this.over) return
    const unknown = !this.neverSent && !isRead(this.request.method)
    this.finish()
    upstreamFailures.inc({ service: this.upstream.service, outcome: unknown ? 'unknown' : 'not_done' })
    log.warn(
      { err: error, service: this.upstream.service, method: this.request.method, unknown },
      'a service gave no answer',
    )
    this.refuse(unknown ? unknownOutcome() : new DomainError('UNAVAILABLE'))
  }

  private refuse(refusal: DomainError): void {
    for (const name of FORWARDED_RESPONSE_HEADERS) this.reply.removeHeader(name)
    this.reply.send(refusal)
  }

  /** The rest is passed on as it comes, no further ahead of the client than a limit. */
  private beginStream(controller: Dispatcher.DispatchController): void {
    const stream = new Readable({
      highWaterMark: UNREAD_ANSWER_BYTES,
      read: () => controller.resume(),
      destroy: (error, done) => {
        clearTimeout(tooLong)
        if (!this.over) this.drop()
        done(error)
      },
    })
    const tooLong = setTimeout(() => stream.destroy(new Error('the client reads too slowly')), MAX_STREAMING_MS)
    for (const chunk of this.chunks) stream.push(chunk)
    this.chunks.length = 0
    this.stream = stream
    this.reply.send(stream)
  }

  private readonly onClientGone = (): void => {
    if (!this.over) this.drop()
  }

  private drop(): void {
    const { controller } = this
    this.finish()
    controller?.abort(new Error('the client has gone'))
  }

  private finish(): void {
    this.over = true
    this.upstream.underWay--
    this.upstream.unqueue(this)
    this.reply.raw.removeListener('close', this.onClientGone)
  }
}

const isTimeout = (error: Error): boolean => 'code' in error && TIMEOUTS.has(String(error.code))
const TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])

const unknownOutcome = () => new DomainError('UNAVAILABLE', { outcome: 'unknown' }, UNKNOWN_OUTCOME_MESSAGE)
