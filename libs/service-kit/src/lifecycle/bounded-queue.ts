import { DomainError } from '@holdfast/kernel/errors'
import pLimit from 'p-limit'

/** Runs a few pieces of expensive work at a time, in order. The number that may wait is limited. */
export class BoundedQueue {
  readonly #limit: ReturnType<typeof pLimit>
  readonly #maxInside: number

  /**
   * @param concurrency how many run at the same time
   * @param maxWaiting how many more may wait
   */
  constructor(concurrency: number, maxWaiting: number) {
    this.#limit = pLimit(concurrency)
    this.#maxInside = concurrency + maxWaiting
  }

  /**
   * Runs `work` when its turn comes, and resolves with its result.
   *
   * @throws DomainError `UNAVAILABLE` at once when too many wait already
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#limit.activeCount + this.#limit.pendingCount >= this.#maxInside) throw new DomainError('UNAVAILABLE')
    return this.#limit(work)
  }
}
