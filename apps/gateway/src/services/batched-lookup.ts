import { DomainError } from '@holdfast/kernel/errors'
import { isDoneWithin } from '@holdfast/service-kit/lifecycle/waiting'
import { runShared, type Span, startSpan, withSpan } from '@holdfast/service-kit/telemetry/telemetry'
import { CircuitBreaker } from './circuit-breaker.js'

/** The batches that may run at a time. */
export const MAX_RUNNING_BATCHES = 4
/** A batch that has run for this long is slow: the next one no longer waits for its end. */
export const SLOW_BATCH_MS = 50
/** From this many keys on a batch is shared: then calls arrive faster than batches are answered. */
export const SHARED_BATCH = 2
/**
 * The next batch is sent no sooner than this after the end of a shared one that was not full, so that more calls share it. Most
 * of what a batch costs does not depend on its size: a check of a session costs 40 % less in batches of 40 than in batches of
 * 20 (docs/performance.md).
 */
export const REST_AFTER_SHARED_BATCH_MS = 8
/** After this many failed batches in a row, no batch is sent for a moment. */
export const FAILED_BATCHES = 3
export const REST_MS = 1_000
/** How long a read, which accepts an answer from before an outage, waits for a new one. */
export const OUTAGE_AFTER_MS = 1_000

interface BatchedLookupOptions<V> {
  /** What is looked up, for traces. */
  readonly name: string
  /** Asks the other service for one batch of keys. A key that is missing from the answer does not exist. */
  readonly ask: (keys: string[]) => Promise<ReadonlyMap<string, V>>
  readonly maxKeysPerBatch: number
  /** Answers kept for calls that accept an older one, or one from before an outage. The oldest is dropped first. */
  readonly maxRemembered: number
  /** Calls that may be pending at a time. Further ones are refused. */
  readonly maxPending: number
  /** A monotonic clock in milliseconds. */
  readonly nowMs?: () => number
}

interface PendingCall<V> {
  /** From the call until its answer; null when it is not recorded. */
  readonly span: Span | null
  readonly resolve: (value: V | null) => void
  readonly reject: (error: unknown) => void
}
/** The pending calls of each key. */
type Batch<V> = Map<string, PendingCall<V>[]>
interface RunningBatch<V> {
  readonly calls: Batch<V>
  readonly sentAt: number
  /** Keys that changed after the batch was sent. Its answer for them is not kept, and no later call joins it. */
  readonly outdated: Set<string>
}

/**
 * Looks keys up at another service. Calls that arrive together share one request. Each call names the highest age of its
 * answer.
 *
 * - A call that finds no batch running starts one at the end of the current turn of the event loop, so a single call is not
 *   delayed. Only just after a shared batch it waits for `REST_AFTER_SHARED_BATCH_MS`, because many calls are then on the way.
 * - Calls that arrive while a batch is running share the next one. It is sent when the running one has ended, or as soon as
 *   the running one is slow, so that one lost answer does not delay everyone.
 * - When the other service does not answer, calls are refused at once for a moment. A call that accepts an answer from
 *   before the outage gets that one.
 * - The age of an answer counts from when its batch was sent. A call that needs a fresh answer only joins a batch that
 *   has not been sent yet, so it always sees a change that was made before the call.
 */
export class BatchedLookup<V> {
  private next: Batch<V> = new Map()
  /** In the order in which they were sent. */
  private readonly running = new Set<RunningBatch<V>>()
  private newestSentAt = 0
  private restUntil = 0
  private scheduled = false
  private overtaking: NodeJS.Timeout | null = null
  private pending = 0
  private readonly remembered = new Map<string, { readonly value: V | null; readonly askedAt: number }>()
  private readonly nowMs: () => number
  private readonly breaker: CircuitBreaker

  constructor(private readonly options: BatchedLookupOptions<V>) {
    this.nowMs = options.nowMs ?? (() => performance.now())
    this.breaker = new CircuitBreaker({ failures: FAILED_BATCHES, restMs: REST_MS, nowMs: this.nowMs })
  }

  /**
   * The value of a key; null when the key does not exist.
   *
   * @param maxAgeMs how old the answer may be; 0 asks again
   * @param outageAgeMs how old it may be when the other service gives no answer
   * @throws what the request of its batch threw; DomainError UNAVAILABLE when too many calls are pending, or when earlier
   * requests got no answer
   */
  find(key: string, maxAgeMs = 0, outageAgeMs = 0): Promise<V | null> {
    const known = this.findRemembered(key, maxAgeMs)
    if (known) return Promise.resolve(known.value)
    const answer = this.ask(key, maxAgeMs)
    return outageAgeMs > maxAgeMs ? this.newOrOlder(key, answer, outageAgeMs) : answer
  }

  /** The new answer, or a remembered one when the new one fails or does not come in time. */
  private async newOrOlder(key: string, answer: Promise<V | null>, maxAgeMs: number): Promise<V | null> {
    // A failure is not lost: without an older answer it is thrown below.
    const isInTime = await isDoneWithin(OUTAGE_AFTER_MS, answer).catch(() => false)
    const older = isInTime ? undefined : this.findRemembered(key, maxAgeMs)
    return older ? older.value : answer
  }

  /** Forgets the answer for a key. Call it when the key has changed. */
  forget(key: string): void {
    this.remembered.delete(key)
    for (const batch of this.running) batch.outdated.add(key)
  }

  /** Forgets every answer for which this is true. An answer that is on the way may be one of them, so none of those is kept. */
  forgetWhere(isConcerned: (value: V) => boolean): void {
    for (const [key, { value }] of this.remembered)
      if (value !== null && isConcerned(value)) this.remembered.delete(key)
    for (const { calls, outdated } of this.running) for (const key of calls.keys()) outdated.add(key)
  }

  private findRemembered(key: string, maxAgeMs: number): { readonly value: V | null } | undefined {
    if (maxAgeMs <= 0) return undefined
    const remembered = this.remembered.get(key)
    return remembered && remembered.askedAt >= this.nowMs() - maxAgeMs ? remembered : undefined
  }

  private ask(key: string, maxAgeMs: number): Promise<V | null> {
    if (this.pending >= this.options.maxPending) return Promise.reject(new DomainError('UNAVAILABLE'))
    const running = maxAgeMs > 0 ? this.findRunning(key, this.nowMs() - maxAgeMs) : undefined
    if (running) return this.join(running)
    const calls = this.next.get(key) ?? []
    this.next.set(key, calls)
    const answer = this.join(calls)
    this.schedule()
    return answer
  }

  /** The calls for a key in a running batch; undefined when its answer will be too old. */
  private findRunning(key: string, oldest: number): PendingCall<V>[] | undefined {
    for (const { calls, sentAt, outdated } of this.running) {
      if (sentAt >= oldest && !outdated.has(key) && calls.has(key)) return calls.get(key)
    }
    return undefined
  }

  private join(calls: PendingCall<V>[]): Promise<V | null> {
    this.pending++
    const span = startSpan(`look up ${this.options.name}`)
    return withSpan(span, () => new Promise((resolve, reject) => calls.push({ span, resolve, reject })))
  }

  private schedule(): void {
    if (this.scheduled || this.next.size === 0) return
    if (this.running.size > 0) {
      this.overtakeSlowBatch()
      return
    }
    this.scheduled = true
    const send = () => {
      this.scheduled = false
      void this.runBatch()
    }
    const restMs = this.restUntil - this.nowMs()
    if (restMs > 0) setTimeout(send, restMs)
    // Requests that arrived in the same network packet are handled in this turn, so they share the batch.
    else setImmediate(send)
  }

  /** Sends the next batch once the newest running one is slow. If a running batch ends before, that sends it. */
  private overtakeSlowBatch(): void {
    if (this.overtaking || !this.mayOvertake) return
    const untilSlowMs = this.newestSentAt + SLOW_BATCH_MS - this.nowMs()
    const overtake = () => {
      this.overtaking = null
      const isSlow = this.nowMs() - this.newestSentAt >= SLOW_BATCH_MS
      if (isSlow && this.next.size > 0 && this.mayOvertake) void this.runBatch()
      this.schedule()
    }
    this.overtaking = setTimeout(overtake, untilSlowMs)
  }

  /** After a failure no further batch is sent while others run: they show whether the other service answers. */
  private get mayOvertake(): boolean {
    return this.running.size < MAX_RUNNING_BATCHES && !this.breaker.hasFailed
  }

  /** Never rejects: a request that fails rejects the calls of its batch. */
  private async runBatch(): Promise<void> {
    const calls = this.takeBatch()
    const batch: RunningBatch<V> = { calls, sentAt: this.nowMs(), outdated: new Set() }
    this.running.add(batch)
    this.newestSentAt = batch.sentAt
    try {
      const spans = [...calls.values()].flatMap(pending => pending.map(({ span }) => span))
      const answers = await runShared(spans, () => this.breaker.run(() => this.options.ask([...calls.keys()])))
      for (const [key, pending] of calls) {
        const value = answers.get(key) ?? null
        if (!batch.outdated.has(key)) this.remember(key, value, batch.sentAt)
        for (const call of pending) call.resolve(value)
      }
      if (calls.size >= SHARED_BATCH && calls.size < this.options.maxKeysPerBatch)
        this.restUntil = this.nowMs() + REST_AFTER_SHARED_BATCH_MS
    } catch (error) {
      for (const pending of calls.values()) for (const call of pending) call.reject(error)
    } finally {
      for (const pending of calls.values()) this.pending -= pending.length
      this.running.delete(batch)
      this.schedule()
    }
  }

  private takeBatch(): Batch<V> {
    const all = this.next
    this.next = new Map()
    if (all.size <= this.options.maxKeysPerBatch) return all
    const taken: Batch<V> = new Map()
    for (const [key, calls] of all) (taken.size < this.options.maxKeysPerBatch ? taken : this.next).set(key, calls)
    return taken
  }

  private remember(key: string, value: V | null, askedAt: number): void {
    // A batch that was sent later may have been answered earlier.
    if ((this.remembered.get(key)?.askedAt ?? 0) > askedAt) return
    // Deleting first moves the key to the end, so that the first key of the map is the one asked longest ago.
    this.remembered.delete(key)
    this.remembered.set(key, { value, askedAt })
    if (this.remembered.size > this.options.maxRemembered)
      this.remembered.delete(this.remembered.keys().next().value as string)
  }
}
