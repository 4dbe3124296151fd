import { DomainError } from '@holdfast/kernel/errors'

export interface FreshLookupOptions<V> {
  /** Answers what it knows of the keys; a key it leaves out is known not to exist. */
  readonly ask: (keys: string[]) => Promise<ReadonlyMap<string, V>>
  readonly maxKeysPerCall: number
  /** Answers kept for readers who take one that is a little old; the oldest goes first. */
  readonly maxRemembered: number
  /** Questions that may wait while a call is out; further ones are refused. */
  readonly maxWaiting: number
  /** Milliseconds that only ever grow. */
  readonly nowMs?: () => number
}

interface Waiter<V> {
  readonly resolve: (value: V | null) => void
  readonly reject: (error: unknown) => void
}
type Batch<V> = Map<string, Waiter<V>[]>
interface Flight<V> {
  readonly batch: Batch<V>
  readonly sentAt: number
  /** Keys that changed while the call was out: those who asked before get its answer, nobody else. */
  readonly outdated: Set<string>
}

/**
 * Looks things up at another service, as fresh as each asker needs it.
 *
 * Questions that come in together share one call; while it is out the next batch gathers, so nobody ever waits for
 * company and there is no timer. One call is out at a time. An answer's age counts from when its call was sent: whoever
 * needs it fresh only joins a batch that has not been sent, so that a change made before the question is always seen.
 */
export class FreshLookup<V> {
  private gathering: Batch<V> = new Map()
  private inFlight: Flight<V> | null = null
  private scheduled = false
  private waiting = 0
  private readonly memory = new Map<string, { readonly value: V | null; readonly askedAt: number }>()
  private readonly nowMs: () => number

  constructor(private readonly options: FreshLookupOptions<V>) {
    this.nowMs = options.nowMs ?? (() => performance.now())
  }

  /**
   * What the key stands for, or null when there is no such thing.
   *
   * @param maxAgeMs how old the answer may be; 0 asks afresh
   * @throws whatever the call that should have answered threw; DomainError UNAVAILABLE when too many wait already
   */
  find(key: string, maxAgeMs = 0): Promise<V | null> {
    if (maxAgeMs > 0) {
      const oldest = this.nowMs() - maxAgeMs
      const remembered = this.memory.get(key)
      if (remembered && remembered.askedAt >= oldest) return Promise.resolve(remembered.value)
      const waiters = this.findInFlight(key, oldest)
      if (waiters) return this.wait(waiters)
    }
    const waiters = this.gathering.get(key) ?? []
    this.gathering.set(key, waiters)
    const answer = this.wait(waiters)
    this.schedule()
    return answer
  }

  /** Drops what is remembered of a key: something has just changed it. */
  forget(key: string): void {
    this.memory.delete(key)
    this.inFlight?.outdated.add(key)
  }

  private findInFlight(key: string, oldest: number): Waiter<V>[] | undefined {
    const flight = this.inFlight
    if (!flight || flight.sentAt < oldest || flight.outdated.has(key)) return undefined
    return flight.batch.get(key)
  }

  private wait(waiters: Waiter<V>[]): Promise<V | null> {
    if (this.waiting >= this.options.maxWaiting) return Promise.reject(new DomainError('UNAVAILABLE'))
    this.waiting++
    return new Promise((resolve, reject) => waiters.push({ resolve, reject }))
  }

  /** Sends after the present round of the event loop: all that came in with the same packets goes along. */
  private schedule(): void {
    if (this.scheduled || this.inFlight || this.gathering.size === 0) return
    this.scheduled = true
    setImmediate(() => {
      this.scheduled = false
      void this.send()
    })
  }

  /** Never rejects: a failed call rejects those who waited for it, and nobody else. */
  private async send(): Promise<void> {
    const batch = this.takeBatch()
    const flight: Flight<V> = { batch, sentAt: this.nowMs(), outdated: new Set() }
    this.inFlight = flight
    try {
      const answers = await this.options.ask([...batch.keys()])
      for (const [key, waiters] of batch) {
        const value = answers.get(key) ?? null
        if (!flight.outdated.has(key)) this.remember(key, value, flight.sentAt)
        for (const waiter of waiters) waiter.resolve(value)
      }
    } catch (error) {
      for (const waiters of batch.values()) for (const waiter of waiters) waiter.reject(error)
    } finally {
      for (const waiters of batch.values()) this.waiting -= waiters.length
      this.inFlight = null
      this.schedule()
    }
  }

  private takeBatch(): Batch<V> {
    const all = this.gathering
    this.gathering = new Map()
    if (all.size <= this.options.maxKeysPerCall) return all
    const taken: Batch<V> = new Map()
    for (const [key, waiters] of all)
      (taken.size < this.options.maxKeysPerCall ? taken : this.gathering).set(key, waiters)
    return taken
  }

  private remember(key: string, value: V | null, askedAt: number): void {
    // Deleting first moves the key to the end, so that the first key is always the one asked longest ago.
    this.memory.delete(key)
    this.memory.set(key, { value, askedAt })
    if (this.memory.size > this.options.maxRemembered) this.memory.delete(this.memory.keys().next().value as string)
  }
}
