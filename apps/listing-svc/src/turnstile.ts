import { DomainError } from '@holdfast/kernel/errors'

/**
 * Lets at most `width` works run at a time and at most `queue` wait, in the order they came; whoever comes beyond that
 * is told to try again.
 */
export class Turnstile {
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(
    private readonly width: number,
    private readonly queue: number,
  ) {}

  /** @throws DomainError UNAVAILABLE when the queue is full */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.width) this.#running += 1
    else await this.#turn()
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // The place goes to whoever waits longest; only when nobody does it becomes free.
      if (next) next()
      else this.#running -= 1
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= this.queue) throw new DomainError('UNAVAILABLE')
    return new Promise(resolve => this.#waiting.push(resolve))
  }
}
