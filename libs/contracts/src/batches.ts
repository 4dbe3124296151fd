import { route } from './route.js'

/** The most requests that share one exchange. */
export const MAX_BATCHED_REQUESTS = 64
/** The largest body of a request that may share an exchange, in bytes. A larger one is sent by itself. */
export const MAX_BATCHED_BODY_BYTES = 64 * 1024
/** The largest batch, in bytes. */
export const MAX_BATCH_BYTES = 1024 * 1024

/**
 * Takes several requests for routes that are declared `batched`, and streams the answer of each one as soon as it is ready.
 * Every service behind the gateway has this route.
 *
 * Request and answer are frames (`batch-frames.ts` of the http-client). The head of each request is a `BatchedRequestHead`, the
 * head of each answer a `BatchedAnswerHead`. The caller's signature covers the body, and so the actor of each request. A
 * batch that cannot be read is refused whole with a status of 400 to 499. No request of it was begun then.
 */
export const batchRoute = route({
  method: 'POST',
  path: '/internal/batches',
  access: { internal: ['gateway'] },
  handling: 'raw',
  summary: 'Several requests for routes that are declared as batched',
  bodyLimit: MAX_BATCH_BYTES,
  errors: ['MALFORMED_REQUEST'],
})

/** One request of a batch, without its body. */
export interface BatchedRequestHead {
  readonly requestId: string
  /** Method and path of the contract, such as `GET /api/listings/{id}`. */
  readonly route: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | readonly string[]>>
  readonly headers: Readonly<Record<string, string>>
  /** The signed-in user (an `Actor` of the service-kit); null for a visitor. */
  readonly actor: unknown
  readonly clientIp: string | null
  /** The W3C header of the request's span. */
  readonly traceparent?: string | undefined
}

/** The answer to one request of a batch, without its body. */
export interface BatchedAnswerHead {
  /** The position of the request in the batch, from 0. */
  readonly index: number
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}
