/**
 * Whether this process is shutting down. Whoever works in the background or holds connections open listens to
 * `signal` and stops taking work when it aborts; what is in flight is finished.
 */
export class Drain {
  readonly #controller = new AbortController()
  #connectionsEnd = false

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get draining(): boolean {
    return this.#controller.signal.aborted
  }

  /** Whether every answer ends its connection: from when no new ones are taken. */
  get connectionsEnd(): boolean {
    return this.#connectionsEnd
  }

  begin(): void {
    this.#controller.abort(new Error('the process is shutting down'))
  }

  endConnections(): void {
    this.#connectionsEnd = true
  }
}
