/**
 * Whether this process is shutting down. Background work and open streams listen to `signal` and take no new work when it
 * aborts; work that has begun is finished.
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

  /** Whether every answer closes its connection: true once no new connections are taken. */
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
