import { Readable } from 'node:stream'
import {
  type BatchedAnswerHead,
  type BatchedRequestHead,
  batchRoute,
  MAX_BATCHED_BODY_BYTES,
  MAX_BATCHED_REQUESTS,
} from '@holdfast/contracts/batches'
import type { RouteDefinition } from '@holdfast/contracts/route'
import { encodeFrame, type Frame, FrameReader, MalformedFrame } from '@holdfast/http-client/batch-frames'
import { DomainError } from '@holdfast/kernel/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { admit, ForeignCaller } from '../auth/admission.js'
import { continueRequest, endRequestSpan } from '../telemetry/request-spans.js'
import { inSpan } from '../telemetry/telemetry.js'
import { BatchedReply, BatchedRequest } from './batched-request.js'
import { parseBody } from './body-parser.js'
import type { ErrorFilter } from './error-filter.js'
import { type RequestLogLevel, record } from './http-hooks.js'

interface BatchedRoute {
  readonly route: RouteDefinition
  readonly url: string
  readonly handler: RouteHandlerMethod
}

interface BatchEndpointOptions {
  readonly errors: ErrorFilter
  readonly requestLogLevel: RequestLogLevel
}

/**
 * Adds the route that takes batches (`libs/contracts/src/batches.ts`), for all routes that are registered later and declared as
 * batched. The gateway registers forwarded routes under the same definitions, so it must not call this.
 *
 * Each request of a batch is handled as a single one is: admission of its own actor, body parser, Nest's handler with the checks
 * of the contract, error filter, span, metrics and log. Only the connection and the signature are shared. Its answer is sent as
 * soon as it is ready, so a slow request delays no other.
 */
export function installBatchEndpoint(fastify: FastifyInstance, options: BatchEndpointOptions): void {
  const endpoint = new BatchEndpoint(fastify, options)
  fastify.addHook('onRoute', ({ config, method, url, handler }) => {
    const route = config?.route
    if (route?.batched && method === route.method) endpoint.add({ route, url, handler })
  })
  fastify.route({
    method: batchRoute.method,
    url: batchRoute.path,
    config: { route: batchRoute },
    handler: (request, reply) => endpoint.handle(request, reply),
  })
}

class BatchEndpoint {
  readonly #routes = new Map<string, BatchedRoute>()

  constructor(
    private readonly fastify: FastifyInstance,
    private readonly options: BatchEndpointOptions,
  ) {}

  add(batched: BatchedRoute): void {
    this.#routes.set(`${batched.route.method} ${batched.route.path}`, batched)
  }

  /** Checks the whole batch before it begins any request, so that a refused batch has done nothing. */
  handle(batch: FastifyRequest, reply: FastifyReply): void {
    const body = Buffer.isBuffer(batch.body) ? batch.body : Buffer.alloc(0)
    // The body names the actors of the requests. When its parser ran, it was compared with the signature.
    if (!batch.caller?.content) throw new ForeignCaller()
    const requests = readFrames(body).map(frame => ({ frame, batched: this.#find(frame.head) }))
    const answers = new Answers(requests.length)
    reply.type('application/octet-stream').send(answers.stream)
    for (const [index, { frame, batched }] of requests.entries()) {
      void this.#run(frame, { ...batched, index }, batch).then(answer => answers.add(index, answer))
    }
  }

  /** A gateway of another release may know other routes. The whole batch is refused then, and the gateway sends each request alone. */
  #find({ route }: BatchedRequestHead): BatchedRoute {
    const batched = this.#routes.get(route)
    if (!batched) throw new DomainError('MALFORMED_REQUEST')
    return batched
  }

  /** Never rejects: every outcome is an answer. */
  async #run(
    frame: Frame<BatchedRequestHead>,
    { route, url, handler, index }: BatchedRoute & { readonly index: number },
    batch: FastifyRequest,
  ): Promise<BatchedReply> {
    const batchedRequest = new BatchedRequest(frame.head, { route, url, index }, batch)
    const batchedReply = new BatchedReply()
    // The handler uses only what both have: its type (`Ctx` in route.ts) allows no more.
    const request = batchedRequest as unknown as FastifyRequest
    const reply = batchedReply as unknown as FastifyReply
    batchedRequest.span = continueRequest(request, frame.head.traceparent)
    try {
      admit(route, batchedRequest.caller)
      batchedRequest.body = parseBody(route, batchedRequest.headers['content-type'], frame.body)
      await inSpan(batchedRequest.span, () => handler.call(this.fastify, request, reply))
      if (!batchedReply.sent) throw new Error(`${route.method} ${route.path} sent no answer`)
    } catch (error) {
      this.options.errors.answer(error, request, reply)
    }
    endRequestSpan(batchedRequest.span, batchedReply.statusCode)
    record(request, reply, this.options.requestLogLevel)
    return batchedReply
  }
}

/** @throws DomainError MALFORMED_REQUEST */
function readFrames(body: Buffer): Frame<BatchedRequestHead>[] {
  const reader = new FrameReader<BatchedRequestHead>(MAX_BATCHED_BODY_BYTES)
  try {
    const frames = reader.push(body)
    if (reader.isAtEnd && frames.length > 0 && frames.length <= MAX_BATCHED_REQUESTS) return frames
  } catch (error) {
    if (!(error instanceof MalformedFrame)) throw error
  }
  throw new DomainError('MALFORMED_REQUEST')
}

/** The answers of one batch, as a stream. Answers that are ready in the same turn of the event loop are sent in one piece. */
class Answers {
  readonly stream = new Readable({ read: () => {} })
  readonly #ready: Buffer[] = []

  constructor(private open: number) {}

  add(index: number, { statusCode: status, headers, payload }: BatchedReply): void {
    this.open--
    const head: BatchedAnswerHead = { index, status, headers }
    if (this.#ready.length === 0) setImmediate(() => this.#flush())
    this.#ready.push(...encodeFrame(head, payload))
  }

  #flush(): void {
    // The gateway may have closed the connection meanwhile.
    if (!this.stream.destroyed) this.stream.push(Buffer.concat(this.#ready))
    this.#ready.length = 0
    if (this.open === 0 && !this.stream.destroyed) this.stream.push(null)
  }
}
