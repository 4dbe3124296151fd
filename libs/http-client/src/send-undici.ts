import { type Dispatcher, interceptors } from 'undici'
import { ConnectionError } from './api-error.js'
import type { HttpRequest, HttpResponse, Send } from './call.js'
import { ReplicaPool, type ReplicaPoolOptions } from './replica-pool.js'

/**
 * Connections to one service: enough to keep every replica busy and to let commands that arrive together share a statement
 * (with 32 the money path lost a quarter of its throughput), and few enough not to overload a service.
 */
export const MAX_CONNECTIONS_PER_SERVICE = 96
/**
 * A connection is closed after this many requests, so that new replicas behind one address also get requests. It is not
 * closed after a time: with undici's `clientTtl`, a request waits when every connection is too old.
 */
export const MAX_REQUESTS_PER_CONNECTION = 1_000
const CONNECT_TIMEOUT_MS = 1_000
/** How long a service may take before its answer begins. */
const ANSWER_TIMEOUT_MS = 15_000
/** The largest answer in bytes. Our services answer less; the limit protects memory from a faulty one. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024
/** How often the pool itself repeats a GET whose connection failed. `hedged.ts` repeats requests in more cases. */
export const MAX_READ_RETRIES = 2
const FIRST_RETRY_AFTER_MS = 50
const LONGEST_RETRY_AFTER_MS = 500

/** What holds for every pool of connections to a service. */
export const poolOptions = (answerTimeoutMs = ANSWER_TIMEOUT_MS): ReplicaPoolOptions => ({
  connections: MAX_CONNECTIONS_PER_SERVICE,
  maxRequestsPerClient: MAX_REQUESTS_PER_CONNECTION,
  headersTimeout: answerTimeoutMs,
  bodyTimeout: answerTimeoutMs,
  connect: { timeout: CONNECT_TIMEOUT_MS },
})

/**
 * The pool of connections to one service. A process makes one for each service, and calls `close()` at shutdown.
 *
 * @param origin such as `http://127.0.0.1:4002`
 */
export function servicePool(origin: string): Dispatcher {
  return new ReplicaPool(origin, { ...poolOptions(), maxResponseSize: MAX_ANSWER_BYTES }).compose(
    interceptors.retry({
      maxRetries: MAX_READ_RETRIES,
      minTimeout: FIRST_RETRY_AFTER_MS,
      maxTimeout: LONGEST_RETRY_AFTER_MS,
      methods: ['GET'],
      statusCodes: [],
    }),
  )
}

/**
 * Sends over a service's pool.
 *
 * @param onReplicaHangs called when the replica that got a request hangs, and another one answers
 */
export function sendUndici(pool: Dispatcher, onReplicaHangs?: () => void): Send {
  return async request => {
    const answer = await requestOnce(pool, request, onReplicaHangs)
    return {
      status: answer.statusCode,
      header: name => firstOf(answer.headers[name]),
      text: () => answer.body.text().catch(asConnectionError(request)),
    } satisfies HttpResponse
  }
}

function requestOnce(
  pool: Dispatcher,
  request: HttpRequest,
  onReplicaHangs?: () => void,
): Promise<Dispatcher.ResponseData> {
  const options = {
    method: request.method,
    path: request.path,
    headers: request.headers,
    body: request.body ?? null,
    signal: request.signal ?? null,
    onReplicaHangs,
  }
  // The pool has its origin, but undici's types require one.
  return pool.request(options as Dispatcher.RequestOptions).catch(asConnectionError(request))
}

const firstOf = (value: string | string[] | undefined): string | null =>
  (Array.isArray(value) ? value[0] : value) ?? null

const asConnectionError = (request: HttpRequest) => (cause: unknown) => {
  if (request.signal?.aborted) throw cause
  throw new ConnectionError(`${request.method} ${request.path.split('?')[0]} got no answer`, { cause })
}
