import { Client, type Dispatcher } from 'undici'
import { Replica } from './replica.js'

/** The header of an answer that names the process which gave it. */
export const REPLICA_HEADER = 'x-holdfast-replica'
/** A header of the answers of a process that is about to end, and takes no new connections. */
export const REPLICA_ENDS_HEADER = 'x-holdfast-replica-ends'

/** The options of a request. undici's `request` passes them on to `dispatch`. */
export type ReplicaRequestOptions = Dispatcher.DispatchOptions & {
  readonly signal?: AbortSignal | null
  /** The replica that got the request hangs, and another one answers. Called once at most. The request goes on. */
  readonly onReplicaHangs?: () => void
}

interface ConnectionEvents {
  /** The replica of this name: the same object for the same name. */
  readonly replicaOf: (name: string) => Replica
  readonly onSent: () => void
  /** An answer has said that the replica is about to end. */
  readonly onReplicaEnds: (replica: Replica) => void
  /** The connection can take another request. */
  readonly onFree: (connection: ReplicaConnection) => void
}

/** One connection of a pool. It carries one request at a time, and learns from the answers to which replica it leads. */
export class ReplicaConnection {
  replica = new Replica(null)
  isFree = true
  sentAtMs = 0
  readonly client: Client
  #onReplicaHangs: (() => void) | null = null

  constructor(
    origin: string,
    options: Client.Options,
    private readonly events: ConnectionEvents,
  ) {
    this.client = new Client(origin, options)
    // The next socket may lead elsewhere.
    this.client.on('disconnect', () => this.#leadTo(new Replica(null)))
  }

  send(options: ReplicaRequestOptions, handler: Dispatcher.DispatchHandler): void {
    this.isFree = false
    this.#onReplicaHangs = options.onReplicaHangs ?? null
    this.client.dispatch(options, new WatchedRequest(this, handler))
  }

  /** Notifies the request under way, once, that its replica hangs. */
  notifyHang(): void {
    const notify = this.#onReplicaHangs
    this.#onReplicaHangs = null
    notify?.()
  }

  /** The request is being written. */
  sent(): void {
    this.sentAtMs = performance.now()
    this.replica.unanswered.add(this)
    this.events.onSent()
  }

  /** The answer has begun. It names its replica, and says whether that is about to end. */
  answered(name: string, ends: boolean): void {
    if (this.replica.name !== name) this.#leadTo(this.events.replicaOf(name))
    this.replica.unanswered.delete(this)
    this.replica.answered()
    if (ends) this.events.onReplicaEnds(this.replica)
  }

  /** The request is over. */
  ended(): void {
    this.replica.unanswered.delete(this)
    this.#onReplicaHangs = null
    this.isFree = true
    this.events.onFree(this)
  }

  #leadTo(replica: Replica): void {
    this.replica.unanswered.delete(this)
    this.replica = replica
  }
}

type Event<E extends 'onResponseStart' | 'onResponseEnd'> = Parameters<NonNullable<Dispatcher.DispatchHandler[E]>>

/** Passes on what undici reports about a request, and notes what it says about the replica. */
class WatchedRequest implements Dispatcher.DispatchHandler {
  constructor(
    private readonly connection: ReplicaConnection,
    private readonly handler: Dispatcher.DispatchHandler,
  ) {}

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.connection.sent()
    this.handler.onRequestStart?.(controller, context)
  }

  onResponseStart(...event: Event<'onResponseStart'>): void {
    const [, , headers] = event
    this.connection.answered(String(headers[REPLICA_HEADER] ?? ''), headers[REPLICA_ENDS_HEADER] !== undefined)
    this.handler.onResponseStart?.(...event)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.handler.onResponseData?.(controller, chunk)
  }

  onResponseEnd(...event: Event<'onResponseEnd'>): void {
    try {
      this.handler.onResponseEnd?.(...event)
    } finally {
      this.connection.ended()
    }
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    try {
      this.handler.onResponseError?.(controller, error)
    } finally {
      this.connection.ended()
    }
  }
}
