import type { BatchedAnswerHead, BatchedRequestHead } from '@holdfast/contracts/batches'
import { isRepeatable, type RouteDefinition } from '@holdfast/contracts/route'
import { NoFreeConnection, type PendingRequest } from '@holdfast/http-client/batch-handler'
import { MOST_SENDS } from '@holdfast/http-client/hedged'
import { overloaded } from '@holdfast/service-kit/http/requests-under-way'
import { failSpan, type Span } from '@holdfast/service-kit/telemetry/telemetry'
import { traceparentOf } from '@holdfast/service-kit/telemetry/traceparent'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Upstream } from '../services/upstreams.js'
import { forwardAnswerHead, forwardedRequestHeaders } from './forwarded-headers.js'
import { isTimeout, refuseUnanswered, sentAgain } from './unanswered.js'

/**
 * One request that may share an exchange with others. It ends in exactly one of four ways: answered, refused, dropped because
 * the client left before it was sent, or handed over to an exchange of its own.
 *
 * A write that may have reached the service is not sent again, and its outcome is then unknown. But a repeatable one is sent to another
 * replica while the first one hangs, and then the first answer counts; and it is sent alone when the connection of its batch is lost.
 */
export class BatchedExchange implements PendingRequest {
  readonly head: BatchedRequestHead
  queuedAtMs = performance.now()
  private over = false
  private sends = 1
  /** The batches with this request that have no answer for it. */
  private open = 1
  /** From here to the answer; null when it is not recorded. */
  private readonly span: Span | null

  /** @param forwardAlone starts an exchange for this request only, which the service may have received already */
  constructor(
    private readonly upstream: Upstream,
    private readonly route: RouteDefinition,
    request: FastifyRequest,
    readonly body: Buffer | null,
    private readonly reply: FastifyReply,
    private readonly forwardAlone: (mayBeDone: boolean) => void,
  ) {
    this.span = upstream.client.startSpan(route.method)?.setAttribute('holdfast.batched', true) ?? null
    this.head = headOf(route, request, this.span)
  }

  start(): void {
    if (this.upstream.refuses(this.route)) return void this.reply.send(overloaded())
    this.upstream.underWay++
    this.upstream.queue(this)
    this.upstream.batches.add(this)
  }

  /** Refuses the request, because no batch could be sent in time. */
  giveUp(): void {
    this.refuse(new Error(`no batch to ${this.upstream.service} could be sent`), false)
  }

  /** A request whose client has left is dropped. Nothing of it was sent yet, so the service does nothing for it. */
  begin(): boolean {
    if (this.over) return false
    this.upstream.unqueue(this)
    if (!this.reply.raw.destroyed) return true
    this.finish()
    return false
  }

  onReplicaHangs(): void {
    if (this.over || this.sends >= MOST_SENDS || !this.isRepeatable) return
    this.sends++
    this.open++
    sentAgain.inc({ service: this.upstream.service })
    this.upstream.batches.add(this)
  }

  sendAlone(mayBeDone = false): void {
    if (this.over) return
    this.finish()
    this.forwardAlone(mayBeDone)
  }

  answer({ status, headers }: BatchedAnswerHead, body: Buffer): void {
    if (this.over) return
    this.finish()
    forwardAnswerHead(this.reply, status, headers)
    if (body.length === 0) this.reply.send()
    else this.reply.send(body)
  }

  fail(error: Error, wasSent: boolean): void {
    this.open--
    if (this.over || this.open > 0) return
    const mayBeDone = wasSent || this.sends > 1
    const hasWaited = isTimeout(error) || error instanceof NoFreeConnection
    if ((!mayBeDone || this.isRepeatable) && !hasWaited) this.sendAlone(mayBeDone)
    else this.refuse(error, mayBeDone)
  }

  private get isRepeatable(): boolean {
    return isRepeatable(this.route, this.head.headers['idempotency-key'])
  }

  private refuse(error: Error, wasSent: boolean): void {
    if (this.span) failSpan(this.span, error)
    this.finish()
    refuseUnanswered(this.reply, { error, service: this.upstream.service, method: this.route.method, wasSent })
  }

  private finish(): void {
    this.over = true
    this.span?.end()
    this.upstream.underWay--
    this.upstream.unqueue(this)
  }
}

function headOf(route: RouteDefinition, request: FastifyRequest, span: Span | null): BatchedRequestHead {
  const { actor, clientIp } = request.caller!
  return {
    requestId: request.id,
    route: `${route.method} ${route.path}`,
    params: request.params as BatchedRequestHead['params'],
    // A query that no route reads would only make the batch larger.
    query: route.query ? (request.query as BatchedRequestHead['query']) : {},
    headers: forwardedRequestHeaders(request.headers),
    actor,
    clientIp,
    ...(span && { traceparent: traceparentOf(span.spanContext()) }),
  }
}
