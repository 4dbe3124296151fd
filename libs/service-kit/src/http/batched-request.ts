import type { BatchedRequestHead } from '@holdfast/contracts/batches'
import type { RouteDefinition } from '@holdfast/contracts/route'
import type { Span } from '@opentelemetry/api'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../auth/actor.js'
import type {} from '../auth/admission.js'

/** What a handler of a batched route may use of Fastify's request. */
export type BatchableRequest = Pick<FastifyRequest, 'id' | 'method' | 'headers' | 'params' | 'query' | 'body'>
/** What it may use of Fastify's reply. */
export interface BatchableReply {
  readonly statusCode: number
  code(status: number): unknown
  header(name: string, value: string): BatchableReply
}

/** One request of a batch. It has everything of Fastify's request that handlers, the error filter, spans and the log use. */
export class BatchedRequest implements BatchableRequest {
  readonly id: string
  readonly method: string
  readonly headers: FastifyRequest['headers']
  readonly params: unknown
  readonly query: unknown
  readonly caller: NonNullable<FastifyRequest['caller']>
  readonly routeOptions: { readonly url: string; readonly config: { readonly route: RouteDefinition } }
  readonly is404 = false
  readonly raw: { readonly socket: FastifyRequest['raw']['socket']; readonly errored: null }
  body: unknown
  span: Span | null = null

  /**
   * @param at its route, and its position in the batch
   * @param batch the request that brought the batch. Its connection shows whether the caller is still there
   */
  constructor(
    head: BatchedRequestHead,
    { route, url, index }: { readonly route: RouteDefinition; readonly url: string; readonly index: number },
    batch: FastifyRequest,
  ) {
    this.id = head.requestId
    this.method = route.method
    this.headers = head.headers
    this.params = head.params
    this.query = head.query
    const { caller, nonce } = batch.caller!
    const actor = head.actor as Actor | null
    this.caller = { caller, actor, clientIp: head.clientIp, ...(nonce && { nonce: `${nonce}.${index}` }) }
    this.routeOptions = { url, config: { route } }
    this.raw = { socket: batch.raw.socket, errored: null }
  }
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** Keeps the answer to one request of a batch. It has everything of Fastify's reply that handlers and the error filter use. */
export class BatchedReply implements BatchableReply {
  statusCode = 200
  readonly headers: Record<string, string> = {}
  /** Null until the answer is sent. */
  payload: Buffer | null = null
  readonly #beganMs = performance.now()
  readonly raw = {
    headersSent: false,
    /** Replaces an answer that turned out to be wrong after `send`. Nothing of it has left the process yet. */
    destroy: (): void => {
      this.statusCode = 500
      this.payload = Buffer.alloc(0)
    },
  }

  get sent(): boolean {
    return this.payload !== null
  }

  get elapsedTime(): number {
    return performance.now() - this.#beganMs
  }

  code(status: number): this {
    this.statusCode = status
    return this
  }

  /** The name that Nest uses. */
  status(status: number): this {
    return this.code(status)
  }

  header(name: string, value: string): this {
    this.headers[name.toLowerCase()] = value
    return this
  }

  type(contentType: string): this {
    return this.header('content-type', contentType)
  }

  /** @throws Error for a stream, which a batched route must not answer with */
  send(payload?: unknown): this {
    if (payload === undefined || payload === null) this.payload = Buffer.alloc(0)
    else if (Buffer.isBuffer(payload)) this.payload = payload
    else if (typeof payload === 'string') this.payload = Buffer.from(payload)
    else if (isStream(payload)) throw new Error('a batched route must not answer with a stream')
    else {
      this.headers['content-type'] ??= JSON_TYPE
      this.payload = Buffer.from(JSON.stringify(payload))
    }
    return this
  }
}

const isStream = (payload: object): boolean => 'pipe' in payload || 'getReader' in payload
