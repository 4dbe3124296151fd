import { DomainError } from '@holdfast/kernel/errors'

export interface BatchedLookupOptions<V> {
  /** Asks the other service for one batch of keys. A key that is missing from the answer does not exist. */
  readonly ask: (keys: string[]) => Promise<ReadonlyMap<string, V>>
  readonly maxKeysPerBatch: number
  /** Answers kept for calls that accept an older one. The oldest is dropped first. */
  readonly maxRemembered: number
  /** Calls that may be pending at a time. Further ones are refused. */
  readonly maxPending: number
  /** A monotonic clock in milliseconds. */
  readonly nowMs?: () => number
}

interface PendingCall<V> {
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
 * - A call that finds no batch running starts one at the end of the current turn of the event loop. There is no timer,
 *   so a single call is not delayed.
 * - Calls that arrive while a batch is running share the next one. One batch runs at a time.
 * - The age of an answer counts from when its batch was sent. A call that needs a fresh answer only joins a batch that
 *   has not been sent yet, so it always sees a change that was made before the call.
 */
export class BatchedLookup<V> {
  private next: Batch<V> = new Map()
  private running: RunningBatch<V> | null = null
  private scheduled = false
  private pending = 0
  private readonly remembered = new Map<string, { readonly value: V | null; readonly askedAt: number }>()
  private readonly nowMs: () => number

  constructor(private readonly options: BatchedLookupOptions<V>) {
    this.nowMs = options.nowMs ?? (() => performance.now())
  }

  /**
   * The value of a key; null when the key does not exist.
   *
   * @param maxAgeMs how old the answer may be; 0 asks again
   * @throws what the request of its batch threw; DomainError UNAVAILABLE when too many calls are pending
   */
  find(key: string, maxAgeMs = 0): Promise<V | null> {
    if (maxAgeMs > 0) {
      const oldest = this.nowMs() - maxAgeMs
      const remembered = this.remembered.get(key)
      if (remembered && remembered.askedAt >= oldest) return Promise.resolve(remembered.value)
      const calls = this.findRunning(key, oldest)
      if (calls) return this.join(calls)
    }
    const calls = this.next.get(key) ?? []
    this.next.set(key, calls)
    const answer = this.join(calls)
    this.schedule()
    return answer
  }

  /** Forgets the answer for a key. Call it when the key has changed. */
  forget(key: string): void {
    this.remembered.delete(key)
    this.running?.outdated.add(key)
  }

  /** The calls for a key in the running batch; undefined when its answer will be too old. */
  private findRunning(key: string, oldest: number): PendingCall<V>[] | undefined {
    const { running } = this
    if (!running || running.sentAt < oldest || running.outdated.has(key)) return undefined
    return running.calls.get(key)
  }

  private join(calls: PendingCall<V>[]): Promise<V | null> {
    if (this.pending >= this.options.maxPending) return Promise.reject(new DomainError('UNAVAILABLE'))
    this.pending++
    return new Promise((resolve, reject) => calls.push({ resolve, reject }))
  }

  private schedule(): void {
    if (this.scheduled || this.running || this.next.size === 0) return
    this.scheduled = true
    // Requests that arrived in the same network packet are handled in this turn, so they share the batch.
    setImmediate(() => {
      this.scheduled = false
      void this.runBatch()
    })
  }

  /** Never rejects: a request that fails rejects the calls of its batch. */
  private async runBatch(): Promise<void> {
    const calls = this.takeBatch()
    const batch: RunningBatch<V> = { calls, sentAt: this.nowMs(), outdated: new Set() }
    this.running = batch
    try {
      const answers = await this.options.ask([...calls.keys()])
      for (const [key, pending] of calls) {
        const value = answers.get(key) ?? null
        if (!batch.outdated.has(key)) this.remember(key, value, batch.sentAt)
        for (const call of pending) call.resolve(value)
      }
    } catch (error) {
      for (const pending of calls.values()) for (const call of pending) call.reject(error)
    } finally {
      for (const pending of calls.values()) this.pending -= pending.length
      this.running = null
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
    // Deleting first moves the key to the end, so that the first key of the map is the one asked longest ago.
    this.remembered.delete(key)
    this.remembered.set(key, { value, askedAt })
    if (this.remembered.size > this.options.maxRemembered)
      this.remembered.delete(this.remembered.keys().next().value as string)
  }
}
