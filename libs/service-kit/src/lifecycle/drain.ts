/**
 * Whether this process is shutting down. Background work and open streams listen to `signal`. When it aborts, they finish
 * the current work and start no other.
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

  /** Whether every answer closes its connection. It is true as soon as no new connections are accepted. */
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
