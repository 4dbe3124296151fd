import { batchRoute, MAX_BATCH_BYTES, MAX_BATCHED_REQUESTS } from '@holdfast/contracts/batches'
import type { Dispatcher } from 'undici'
import { encodeFrame } from './batch-frames.js'
import { BatchHandler, type PendingRequest } from './batch-handler.js'
import type { ReplicaRequestOptions } from './replica-connection.js'

/** While this many batches have no answer yet, further requests wait and gather for the next batch. */
export const MAX_UNANSWERED_BATCHES = 2
/** Further requests no longer wait for a batch that has no answer after this time. */
const SLOW_BATCH_MS = 100
/** The most batches that run at a time. */
const MAX_RUNNING_BATCHES = 32

interface RequestBatchesOptions {
  readonly pool: Dispatcher
  /** The headers that sign one batch. */
  readonly headersFor: (body: Buffer) => Record<string, string>
  /** How long a batch may wait for a connection, in milliseconds. After that it fails, and nothing of it was sent. */
  readonly connectionWaitMs: number
  /** Called for every batch that is sent, with its size, and how long its first request has waited, in milliseconds. */
  readonly onSend?: (size: number, waitedMs: number) => void
}

/** A request with the bytes that it takes in a batch. */
interface Waiting {
  readonly request: PendingRequest
  readonly frame: readonly Buffer[]
  readonly bytes: number
  readonly sinceMs: number
}

/**
 * Sends requests to one service. Requests that wait at the same time share one exchange. An exchange costs both processes as
 * much as the work of a short command, so sharing it saves much under load.
 *
 * - A request is sent at the end of the current turn of the event loop. There is no timer, so a single request is not delayed. While
 *   `MAX_UNANSWERED_BATCHES` batches have no answer, it waits for the first answer of one of them.
 * - Answers come as soon as each is ready, so a slow request delays no other of its batch.
 * - When the connection fails, each request without an answer fails by itself and learns whether it was sent.
 */
export class RequestBatches {
  #waiting: Waiting[] = []
  #scheduled = false
  /** The batches without an answer that further requests wait for. */
  #unanswered = 0
  #running = 0

  constructor(private readonly options: RequestBatchesOptions) {}

  add(request: PendingRequest): void {
    const frame = encodeFrame(request.head, request.body)
    const bytes = frame.reduce((sum, part) => sum + part.length, 0)
    this.#waiting.push({ request, frame, bytes, sinceMs: performance.now() })
    this.#schedule()
  }

  #schedule(): void {
    if (this.#scheduled || this.#waiting.length === 0) return
    if (this.#unanswered >= MAX_UNANSWERED_BATCHES || this.#running >= MAX_RUNNING_BATCHES) return
    this.#scheduled = true
    // Requests that arrived in the same network packet are handled in this turn, so they share the batch.
    setImmediate(() => {
      this.#scheduled = false
      const batch = this.#take()
      if (batch.length > 0) this.#send(batch)
      this.#schedule()
    })
  }

  /** The next requests that fit into a batch, without those that do not begin. */
  #take(): Waiting[] {
    const taken: Waiting[] = []
    let bytes = 0
    let looked = 0
    for (const each of this.#waiting) {
      const isFull = taken.length === MAX_BATCHED_REQUESTS || bytes + each.bytes > MAX_BATCH_BYTES
      if (isFull && taken.length > 0) break
      looked++
      if (!each.request.begin()) continue
      taken.push(each)
      bytes += each.bytes
    }
    this.#waiting = this.#waiting.slice(looked)
    return taken
  }

  #send(batch: readonly Waiting[]): void {
    const requests = batch.map(({ request }) => request)
    this.#running++
    this.#unanswered++
    let isWaitedFor = true
    const stopWaiting = () => {
      clearTimeout(slow)
      if (isWaitedFor) this.#unanswered--
      isWaitedFor = false
      this.#schedule()
    }
    const slow = setTimeout(stopWaiting, SLOW_BATCH_MS)
    const body = Buffer.concat(batch.flatMap(({ frame }) => frame))
    this.options.onSend?.(requests.length, performance.now() - batch[0]!.sinceMs)
    const handler = new BatchHandler(requests, {
      onFirstAnswer: stopWaiting,
      onEnd: () => {
        clearTimeout(tooLong)
        this.#running--
        stopWaiting()
      },
    })
    const tooLong = setTimeout(() => handler.giveUp(), this.options.connectionWaitMs)
    const { method, path } = batchRoute
    const headers = { 'content-type': 'application/octet-stream', ...this.options.headersFor(body) }
    const onReplicaHangs = () => handler.onReplicaHangs()
    this.options.pool.dispatch({ method, path, headers, body, onReplicaHangs } as ReplicaRequestOptions, handler)
  }
}
