import type { BatchedAnswerHead, BatchedRequestHead } from '@holdfast/contracts/batches'
import type { Dispatcher } from 'undici'
import { FrameReader } from './batch-frames.js'
import { MAX_ANSWER_BYTES } from './send-undici.js'

/**
 * A request that waits for its answer and may share an exchange with others. When `begin` answers false, it is over. Otherwise
 * exactly one of `sendAlone`, `answer` and `fail` is called.
 */
export interface PendingRequest {
  readonly head: BatchedRequestHead
  readonly body: Buffer | null
  /** Called just before the batch is sent. False leaves the request out of the batch, because its caller has left. */
  begin(): boolean
  /** The service refused the batch before it began any request, so this one needs an exchange of its own. */
  sendAlone(): void
  answer(head: BatchedAnswerHead, body: Buffer): void
  /** @param wasSent whether the service may have received the request */
  fail(error: Error, wasSent: boolean): void
  /** The replica that got the request hangs, and another one answers. The request may be added again, and then ends twice. */
  onReplicaHangs?(): void
}

/** No connection became free in time, so nothing of the batch was sent. */
export class NoFreeConnection extends Error {
  override readonly name = 'NoFreeConnection'
}

/** Takes what undici reports about the exchange of one batch, and ends each of its requests. */
export class BatchHandler implements Dispatcher.DispatchHandler {
  readonly #reader = new FrameReader<BatchedAnswerHead>(MAX_ANSWER_BYTES)
  /** The requests without an answer, by their position. */
  readonly #open: Map<number, PendingRequest>
  #controller: Dispatcher.DispatchController | null = null
  #status = 0
  #isAnswered = false
  #over = false

  constructor(
    requests: readonly PendingRequest[],
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

  /** The replica that got the batch hangs, and another one answers. */
  onReplicaHangs(): void {
    for (const request of this.#open.values()) request.onReplicaHangs?.()
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
    for (const request of this.#finish()) request.sendAlone()
  }

  #end(error: Error): void {
    const wasSent = this.#controller !== null
    for (const request of this.#finish()) request.fail(error, wasSent)
  }

  /** Ends the exchange. Returns the requests that had no answer. */
  #finish(): PendingRequest[] {
    if (this.#over) return []
    this.#over = true
    const requests = [...this.#open.values()]
    this.#open.clear()
    this.events.onEnd()
    return requests
  }
}
