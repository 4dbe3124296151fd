import { DomainError } from '@holdfast/kernel/errors'

interface CircuitBreakerOptions {
  /** After this many failures in a row, calls are refused without being made. */
  readonly failures: number
  /** How long calls are refused before one is made as a trial. */
  readonly restMs: number
  /** A monotonic clock in milliseconds. */
  readonly nowMs?: () => number
}

/**
 * Refuses calls to a service that has stopped answering, so that callers do not wait for the time-out of each call. After a
 * rest one call is made as a trial. Its success admits all calls again, its failure starts the next rest.
 *
 * It is our own because the libraries for this (opossum, cockatiel) no longer support Node 20 in their maintained versions.
 */
export class CircuitBreaker {
  private failuresInARow = 0
  /** When the last failure was. */
  private failedAtMs = 0
  private trying = false
  private readonly nowMs: () => number

  constructor(private readonly options: CircuitBreakerOptions) {
    this.nowMs = options.nowMs ?? (() => performance.now())
  }

  /**
   * Makes a call, or refuses it.
   *
   * @throws what the call throws; DomainError UNAVAILABLE when the call is refused
   */
  async run<T>(call: () => Promise<T>): Promise<T> {
    const isTrial = this.isOpen
    if (isTrial && !this.mayTry) throw new DomainError('UNAVAILABLE')
    if (isTrial) this.trying = true
    try {
      const answer = await call()
      this.failuresInARow = 0
      return answer
    } catch (error) {
      this.failuresInARow++
      this.failedAtMs = this.nowMs()
      throw error
    } finally {
      if (isTrial) this.trying = false
    }
  }

  /** Whether the last call failed. */
  get hasFailed(): boolean {
    return this.failuresInARow > 0
  }

  private get isOpen(): boolean {
    return this.failuresInARow >= this.options.failures
  }

  private get mayTry(): boolean {
    return !this.trying && this.nowMs() - this.failedAtMs >= this.options.restMs
  }
}
