import { type Client, Dispatcher } from 'undici'
import { Replica } from './replica.js'
import { ReplicaConnection, type ReplicaRequestOptions } from './replica-connection.js'

/** Every service answers this at once, whatever its database does. */
const HEALTH_CHECK = { method: 'GET', path: '/healthz' } as const
/** A connection whose health check has no answer after this time is closed. */
const CHECKED_WITHIN_MS = 400
/** The most health checks that one pool has under way. */
const MAX_CHECKS = 6
/** The most requests that wait for a connection of one pool: more than the exchanges that the gateway allows with one service. */
export const MAX_QUEUED = 2_048
const SWEEP_MS = 50

export interface ReplicaPoolOptions extends Client.Options {
  /** The most connections. */
  readonly connections: number
}

/**
 * Connections to the replicas of a service behind one address, used in turn. A replica may hang without closing its connections: its
 * machine is frozen, its process is paused, its event loop is blocked. undici's own pools go on sending requests to it.
 *
 * - A replica that has been silent for a moment is suspect. Its connections get health checks and no requests until one is answered.
 * - While a replica is suspect, a new connection may lead to it. So that one has to answer a health check first.
 * - When a replica hangs and another one answers, the requests that wait for it are notified (`onReplicaHangs`).
 * - When a replica says that it is about to end, its free connections are closed. If it closed them itself, a request that is
 *   being sent over one would be lost.
 *
 * A request for which no connection is free waits for one until its `signal` aborts or its caller takes it back. All answers without a
 * `REPLICA_HEADER` count as those of one replica. Handlers have undici's present interface (`onRequestStart`), not the one before.
 *
 * Its fields are `private` and not `#`, because `compose` calls its methods on a Proxy.
 */
export class ReplicaPool extends Dispatcher {
  private readonly options: Client.Options
  private readonly maxConnections: number
  private readonly connections: ReplicaConnection[] = []
  /** The requests that wait for a connection. A Map keeps its order, so the oldest comes first. */
  private readonly queue = new Map<Dispatcher.DispatchHandler, ReplicaRequestOptions>()
  private turn = 0
  private checks = 0
  /** Whether some replica was suspect at the last sweep. */
  private isSuspicious = false
  private sweeper: NodeJS.Timeout | null = null
  private onQueueEmpty = (): void => {}

  constructor(
    private readonly origin: string,
    { connections, ...options }: ReplicaPoolOptions,
  ) {
    super()
    this.options = options
    this.maxConnections = connections
  }

  override dispatch(options: ReplicaRequestOptions, handler: Dispatcher.DispatchHandler): boolean {
    const connection = this.queue.size === 0 ? this.choose() : null
    if (connection) connection.send(options, handler)
    else if (this.queue.size < MAX_QUEUED) {
      this.queue.set(handler, options)
      this.sweepLater()
      this.checkReplicas()
    } else handler.onResponseError?.(NOT_BEGUN, new Error('too many requests wait for a connection'))
    return connection !== null
  }

  /** Removes a request that waits for a connection. Nothing more is reported about it. @returns whether it was waiting */
  takeBack(handler: Dispatcher.DispatchHandler): boolean {
    const isRemoved = this.queue.delete(handler)
    if (isRemoved && this.queue.size === 0) this.onQueueEmpty()
    return isRemoved
  }

  /** Waits for the requests that are queued or under way, then closes the connections. */
  override close(): Promise<void>
  override close(callback: () => void): void
  override close(callback?: () => void): Promise<void> {
    const closed = this.closeAll()
    if (callback) void closed.then(callback)
    return closed
  }

  /** Fails the requests that are queued or under way, and closes the connections. */
  override destroy(error?: Error | null): Promise<void>
  override destroy(callback: () => void): void
  override destroy(error: Error | null, callback: () => void): void
  override destroy(first?: Error | null | (() => void), second?: () => void): Promise<void> {
    const error = first instanceof Error ? first : new Error('the pool was destroyed')
    const callback = typeof first === 'function' ? first : second
    for (const handler of this.queue.keys()) this.failQueued(handler, error)
    const destroyed = Promise.all(this.connections.map(({ client }) => client.destroy(error))).then(() => undefined)
    if (callback) void destroyed.then(callback)
    return destroyed
  }

  private async closeAll(): Promise<void> {
    if (this.queue.size > 0) await new Promise<void>(resolve => (this.onQueueEmpty = resolve))
    await Promise.all(this.connections.map(({ client }) => client.close()))
  }

  /** The next connection that may be used now; null when there is none. */
  private choose(): ReplicaConnection | null {
    const count = this.connections.length
    const nowMs = performance.now()
    for (let n = 0; n < count; n++) {
      this.turn = (this.turn + 1) % count
      const connection = this.connections[this.turn]!
      if (connection.isFree && this.mayUse(connection, nowMs)) return connection
    }
    return this.isSuspicious ? null : this.open()
  }

  private mayUse({ replica }: ReplicaConnection, nowMs: number): boolean {
    return !this.isSuspicious || replica.isTrusted(nowMs)
  }

  /** A new connection; null when there are as many as may be. */
  private open(): ReplicaConnection | null {
    if (this.connections.length >= this.maxConnections) return null
    const connection = new ReplicaConnection(this.origin, this.options, {
      replicaOf: name => this.connections.find(({ replica }) => replica.name === name)?.replica ?? new Replica(name),
      onSent: () => this.sweepLater(),
      onReplicaEnds: replica => this.leave(replica),
      onFree: free => this.takeNext(free),
    })
    this.connections.push(connection)
    return connection
  }

  /** Closes the free connections to a replica. The others end with the answers that they wait for. */
  private leave(replica: Replica): void {
    for (const connection of this.connections.filter(each => each.isFree && each.replica === replica)) {
      this.connections.splice(this.connections.indexOf(connection), 1)
      if (!connection.client.destroyed) void connection.client.close()
    }
  }

  private takeNext(connection: ReplicaConnection): void {
    const [first] = this.queue
    if (!first || !this.mayUse(connection, performance.now())) return
    const [handler, options] = first
    this.takeBack(handler)
    connection.send(options, handler)
  }

  private sweepLater(): void {
    // Answers that have arrived while the event loop was blocked are read between a timer and an immediate.
    this.sweeper ??= setTimeout(() => setImmediate(() => this.sweep()), SWEEP_MS).unref()
  }

  private sweep(): void {
    this.sweeper = null
    this.failAborted()
    const nowMs = performance.now()
    const replicas = new Set(this.connections.map(({ replica }) => replica))
    const all = [...replicas]
    this.isSuspicious = all.some(replica => replica.isSuspect(nowMs))
    if (all.some(({ unanswered }) => unanswered.size > 0) || this.queue.size > 0) this.sweepLater()
    if (this.isSuspicious) this.checkReplicas()
    else for (const connection of this.connections) if (connection.isFree) this.takeNext(connection)
    if (!all.some(replica => replica.isTrusted(nowMs))) return
    for (const connection of this.connections)
      if (connection.replica.unanswered.has(connection) && connection.replica.hangs(nowMs)) connection.notifyHang()
  }

  /** Fails the queued requests whose signal has aborted. undici itself looks at a signal only when it begins a request. */
  private failAborted(): void {
    for (const [handler, { signal }] of this.queue) if (signal?.aborted) this.failQueued(handler, signal.reason)
  }

  private failQueued(handler: Dispatcher.DispatchHandler, error: Error): void {
    this.takeBack(handler)
    handler.onResponseError?.(NOT_BEGUN, error)
  }

  /**
   * Sends health checks while some replica is suspect: to each suspect one, so that a slow one is distinguished from one that
   * hangs, and over new connections when requests wait or no replica is trusted.
   */
  private checkReplicas(): void {
    if (!this.isSuspicious) return
    const nowMs = performance.now()
    const needsMore = this.queue.size > 0 || !this.connections.some(({ replica }) => replica.isTrusted(nowMs))
    const checked = new Set<Replica>()
    for (const connection of this.connections) {
      if (this.checks >= MAX_CHECKS) return
      const { replica, isFree } = connection
      const isOfUse = replica.name === null ? needsMore : !replica.isTrusted(nowMs)
      if (!isFree || !isOfUse || checked.has(replica)) continue
      checked.add(replica)
      this.check(connection)
    }
    while (needsMore && this.checks < MAX_CHECKS) {
      const connection = this.open()
      if (!connection) return
      this.check(connection)
    }
  }

  /** Sends a health check. A connection that answers it takes a queued request. */
  private check(connection: ReplicaConnection): void {
    this.checks++
    let tooLong: NodeJS.Timeout | undefined
    const end = () => {
      clearTimeout(tooLong)
      this.checks--
    }
    connection.send(HEALTH_CHECK as Dispatcher.DispatchOptions, {
      onRequestStart: controller => {
        const abort = () => controller.abort(new Error('a health check was not answered'))
        tooLong = setTimeout(abort, CHECKED_WITHIN_MS).unref()
      },
      onResponseEnd: end,
      onResponseError: end,
    })
  }
}

/** undici's handlers get it when a request fails before it was begun. */
const NOT_BEGUN = undefined as unknown as Dispatcher.DispatchController
