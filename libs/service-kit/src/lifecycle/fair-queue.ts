import { DomainError } from '@holdfast/kernel/errors'

/** Limits of a queue. */
export interface QueueLimits {
  /** How many pieces of work run at the same time. */
  readonly concurrency: number
  /** How many may wait, of all owners together. */
  readonly maxWaiting: number
  /** How many may wait of one owner. The default is `maxWaiting`. */
  readonly maxWaitingPerOwner?: number
}

interface WaitingWork {
  readonly start: () => void
  readonly refuse: (refusal: DomainError) => void
}

/**
 * Runs a few pieces of expensive work at a time. Owners take turns: after one piece of an owner's work comes a piece of the next
 * owner's. So an owner with much work does not delay the others. The number that may wait is limited.
 */
export class FairQueue {
  readonly #limits: Required<QueueLimits>
  /** The waiting work of each owner. The first owner is the next to have a turn. */
  readonly #waiting = new Map<string, WaitingWork[]>()
  #waitingCount = 0
  #running = 0

  constructor(limits: QueueLimits) {
    this.#limits = { maxWaitingPerOwner: limits.maxWaiting, ...limits }
  }

  /**
   * Runs `work` when its turn comes, and resolves with its result.
   *
   * @param owner who asked for it, such as a user or an address
   * @param signal work whose signal is aborted while it waits does not run; the promise is rejected with the signal's reason
   * @throws DomainError `RATE_LIMITED` at once when too much work of this owner waits; `UNAVAILABLE` when too much waits in all:
   * at once, or later when this owner has the most and the work of an owner with less arrives
   */
  async run<T>(owner: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    if (this.#running < this.#limits.concurrency) this.#running++
    else await this.#turn(owner, signal)
    try {
      return await work()
    } finally {
      this.#startNext()
    }
  }

  /** Resolves when it is the owner's turn. The work gets the slot of work that has ended, so `#running` stays as it is. */
  #turn(owner: string, signal: AbortSignal | undefined): Promise<void> {
    const own = this.#waiting.get(owner) ?? []
    if (own.length >= this.#limits.maxWaitingPerOwner) throw new DomainError('RATE_LIMITED')
    if (this.#waitingCount >= this.#limits.maxWaiting) this.#refuseOneInFavourOf(own.length + 1)
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#remove(owner, waiting)
        reject(signal?.reason)
      }
      const start = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const refuse = (refusal: DomainError) => {
        signal?.removeEventListener('abort', leave)
        this.#remove(owner, waiting)
        reject(refusal)
      }
      const waiting: WaitingWork = { start, refuse }
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.set(owner, [...own, waiting])
      this.#waitingCount++
    })
  }

  /**
   * Refuses the latest work of the owner with the most. Without this a few owners could always have as much waiting as may
   * wait, and all others would be refused.
   *
   * @param count how much work the owner of the new work would have
   * @throws DomainError `UNAVAILABLE` when no owner would still have more than that
   */
  #refuseOneInFavourOf(count: number): void {
    const most = [...this.#waiting.values()].reduce((a, b) => (b.length > a.length ? b : a), [])
    if (most.length - 1 <= count) throw new DomainError('UNAVAILABLE')
    most.at(-1)!.refuse(new DomainError('UNAVAILABLE'))
  }

  #startNext(): void {
    const [next] = this.#waiting
    if (!next) {
      this.#running--
      return
    }
    const [owner, [first]] = next
    const waiting = first!
    this.#remove(owner, waiting)
    // The owner's other work waits behind the other owners.
    const rest = this.#waiting.get(owner)
    if (rest) {
      this.#waiting.delete(owner)
      this.#waiting.set(owner, rest)
    }
    waiting.start()
  }

  #remove(owner: string, waiting: WaitingWork): void {
    const rest = (this.#waiting.get(owner) ?? []).filter(each => each !== waiting)
    if (rest.length > 0) this.#waiting.set(owner, rest)
    else this.#waiting.delete(owner)
    this.#waitingCount--
  }
}
