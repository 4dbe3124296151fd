import {
  type BatchedAnswerHead,
  type BatchedRequestHead,
  batchRoute,
  MAX_BATCH_BYTES,
  MAX_BATCHED_REQUESTS,
} from '@holdfast/contracts/batches'
import type { Dispatcher } from 'undici'
import { encodeFrame, FrameReader } from './batch-frames.js'
import { MAX_ANSWER_BYTES } from './send-undici.js'

/** The batches without any answer that other requests wait for, so that they gather meanwhile. */
export const MAX_UNANSWERED_BATCHES = 2
/** Other requests no longer wait for a batch that has no answer after this time. */
export const SLOW_BATCH_MS = 100
/** The most batches that run at a time. */
export const MAX_RUNNING_BATCHES = 32

/** A request that may share an exchange with others. Exactly one of its methods `sendAlone`, `answer` and `fail` is called. */
export interface BatchedRequest {
  readonly head: BatchedRequestHead
  readonly body: Buffer | null
  /** Called just before the batch is sent. False leaves the request out of it, because nobody waits for the answer any more. */
  begin(): boolean
  /** To be sent as an exchange of its own, because the service refused the batch unread. */
  sendAlone(): void
  answer(head: BatchedAnswerHead, body: Buffer): void
  /** @param wasSent whether the service may have received the request */
  fail(error: Error, wasSent: boolean): void
}

/** No connection became free in time, so nothing of the batch was sent. */
export class NoFreeConnection extends Error {
  override readonly name = 'NoFreeConnection'
}

interface RequestBatchesOptions {
  readonly pool: Dispatcher
  /** The headers that sign one batch. */
  readonly headersFor: (body: Buffer) => Record<string, string>
  /** How long a batch may wait for a connection, in milliseconds. Nothing of it was sent then. */
  readonly connectionWaitMs: number
  /** Called with the size of every batch that is sent. */
  readonly onSend?: (size: number) => void
}

/**
 * Sends requests to one service, those that wait at the same time in one exchange. An exchange costs both processes as much as
 * the work of a short command, so sharing it saves much when there is much to do.
 *
 * - A request is sent at the end of the current turn of the event loop unless `MAX_UNANSWERED_BATCHES` are out. There is no timer,
 *   so a single request is not delayed. Otherwise it waits for the first answer of one of them.
 * - Answers come as soon as each is ready, so a slow request delays no other of its batch.
 * - When the connection fails, each request without an answer fails by itself and learns whether it was sent.
 */
export class RequestBatches {
  #waiting: BatchedRequest[] = []
  #scheduled = false
  /** The batches that others wait for. */
  #unanswered = 0
  #running = 0

  constructor(private readonly options: RequestBatchesOptions) {}

  add(request: BatchedRequest): void {
    this.#waiting.push(request)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#scheduled || this.#waiting.length === 0) return
    if (this.#unanswered >= MAX_UNANSWERED_BATCHES || this.#running >= MAX_RUNNING_BATCHES) return
    this.#scheduled = true
    // Requests that arrived in the same network packet are handled in this turn, so they share the batch.
    setImmediate(() => {
      this.#scheduled = false
      const { requests, body } = this.#take()
      if (requests.length > 0) this.#send(requests, body)
      this.#schedule()
    })
  }

  /** The next requests that fit into a batch, without those that were left out, and the body of that batch. */
  #take(): { readonly requests: readonly BatchedRequest[]; readonly body: Buffer } {
    const requests: BatchedRequest[] = []
    const pieces: Buffer[] = []
    let bytes = 0
    let looked = 0
    for (const request of this.#waiting) {
      if (requests.length === MAX_BATCHED_REQUESTS) break
      // The size is exact: a client can choose headers that are twice as long in JSON, and a larger batch would be refused.
      const frame = encodeFrame(request.head, request.body)
      const frameBytes = frame.reduce((sum, piece) => sum + piece.length, 0)
      if (requests.length > 0 && bytes + frameBytes > MAX_BATCH_BYTES) break
      looked++
      if (!request.begin()) continue
      requests.push(request)
      pieces.push(...frame)
      bytes += frameBytes
    }
    this.#waiting = this.#waiting.slice(looked)
    return { requests, body: Buffer.concat(pieces, bytes) }
  }

  #send(requests: readonly BatchedRequest[], body: Buffer): void {
    this.#running++
    this.#unanswered++
    let isWaitedFor = true
    const makeRoom = () => {
      clearTimeout(slow)
      if (isWaitedFor) this.#unanswered--
      isWaitedFor = false
      this.#schedule()
    }
    const slow = setTimeout(makeRoom, SLOW_BATCH_MS)
    this.options.onSend?.(requests.length)
    const exchange = new BatchExchange(requests, {
      onFirstAnswer: makeRoom,
      onEnd: () => {
        clearTimeout(tooLong)
        this.#running--
        makeRoom()
      },
    })
    const tooLong = setTimeout(() => exchange.giveUp(), this.options.connectionWaitMs)
    const { method, path } = batchRoute
    const headers = { 'content-type': 'application/octet-stream', ...this.options.headersFor(body) }
    this.options.pool.dispatch({ method, path, headers, body } as Dispatcher.DispatchOptions, exchange)
  }
}

/** The exchange of one batch. */
class BatchExchange implements Dispatcher.DispatchHandler {
  readonly #reader = new FrameReader<BatchedAnswerHead>(MAX_ANSWER_BYTES)
  /** The requests without an answer, by their position. */
  readonly #open: Map<number, BatchedRequest>
  #controller: Dispatcher.DispatchController | null = null
  #status = 0
  #isAnswered = false
  #over = false

  constructor(
    requests: readonly BatchedRequest[],
    private readonly events: { readonly onFirstAnswer: () => void; readonly onEnd: () => void },
  ) {
    this.#open = new Map(requests.entries())
  }

  /** undici calls this when it begins to write the request. Nothing was sent before that. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#over) controller.abort(new Error('the batch was given up'))
    else this.#controller = controller
  }

  /** Fails the batch if nothing of it was sent yet. */
  giveUp(): void {
    if (this.#controller === null) this.#end(new NoFreeConnection('no connection became free'))
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number): void {
    this.#status = status
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    if (this.#status !== 200 || this.#over) return
    try {
      for (const { head, body } of this.#reader.push(piece)) this.#answer(head, body)
    } catch (error) {
      this.#end(error as Error)
      controller.abort(error as Error)
    }
  }

  onResponseEnd(): void {
    // Only the service itself refuses with such a status, and it does so before it begins any request.
    if (this.#status >= 400 && this.#status < 500) this.#sendEachAlone()
    else this.#end(new Error(`the batch ended with status ${this.#status} before every request was answered`))
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#end(error)
  }

  #answer(head: BatchedAnswerHead, body: Buffer): void {
    const request = this.#open.get(head.index)
    if (!request) throw new Error(`the batch has no open request ${head.index}`)
    this.#open.delete(head.index)
    if (!this.#isAnswered) this.events.onFirstAnswer()
    this.#isAnswered = true
    request.answer(head, body)
  }

  #sendEachAlone(): void {
    const requests = this.#finish()
    for (const request of requests) request.sendAlone()
  }

  #end(error: Error): void {
    const wasSent = this.#controller !== null
    for (const request of this.#finish()) request.fail(error, wasSent)
  }

  /** Ends the exchange. Returns the requests that had no answer. */
  #finish(): BatchedRequest[] {
    if (this.#over) return []
    this.#over = true
    const requests = [...this.#open.values()]
    this.#open.clear()
    this.events.onEnd()
    return requests
  }
}
