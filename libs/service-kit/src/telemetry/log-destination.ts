import fs from 'node:fs'
import type { DestinationStream } from 'pino'

/** Lines are written together after this many characters or this time, because one write per line is slow. */
const WRITE_FROM_CHARS = 12_288
const WRITE_EVERY_MS = 500
/** The most characters kept while writing fails. Further lines are lost, so that memory does not fill up. */
const MAX_WAITING_CHARS = 1_048_576
/** How often, and after which pause, a process that ends tries to write its last lines to a slow reader. */
const LAST_TRIES = 20
const LAST_PAUSE_MS = 25

/**
 * Writes log lines to a file descriptor. Lines that cannot be written are kept, up to a limit, and written when that is
 * possible again. A further line then says how many were lost. So a full disk or a closed pipe neither ends nor blocks the
 * process. pino's own destination would block it: its synchronous flush repeats a failed write without end.
 */
export class LogDestination implements DestinationStream {
  #waiting = ''
  #out: Buffer = Buffer.alloc(0)
  #isWriting = false
  #lost = 0

  /** @param reportLost writes a line that says how many lines were lost */
  constructor(
    private readonly fd: number,
    private readonly reportLost: (count: number) => void,
  ) {
    setInterval(() => this.#send(), WRITE_EVERY_MS).unref()
  }

  write(line: string): void {
    if (this.#waiting.length + line.length > MAX_WAITING_CHARS) {
      this.#lost++
      return
    }
    this.#waiting += line
    if (this.#waiting.length >= WRITE_FROM_CHARS && this.#out.length === 0) this.#send()
  }

  /** Writes the kept lines before the process ends. It takes half a second at most. */
  flushSync(): void {
    // A write that is running is not repeated.
    const now = this.#isWriting ? [] : [this.#out]
    // The second one is the report of lost lines.
    let rest = Buffer.concat([...now, this.#takeWaiting(), this.#takeWaiting()])
    this.#out = Buffer.alloc(0)
    for (let tries = 0; rest.length > 0 && tries < LAST_TRIES; tries++) {
      try {
        rest = rest.subarray(fs.writeSync(this.fd, rest))
      } catch (error) {
        // The rest is lost with the process. There is nowhere to report it.
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LAST_PAUSE_MS)
      }
    }
  }

  /** The waiting lines. They make room for the report of lost lines, which then waits. */
  #takeWaiting(): Buffer {
    const taken = Buffer.from(this.#waiting)
    const lost = this.#lost
    this.#waiting = ''
    this.#lost = 0
    if (lost > 0) this.reportLost(lost)
    return taken
  }

  #send(): void {
    if (this.#isWriting) return
    if (this.#out.length === 0) this.#out = this.#takeWaiting()
    if (this.#out.length === 0) return
    this.#isWriting = true
    fs.write(this.fd, this.#out, (error, written) => {
      this.#isWriting = false
      // This error cannot be logged, because the log itself fails. The next tick of the timer tries again.
      if (error) return
      this.#out = this.#out.subarray(written)
      if (this.#out.length > 0 || this.#waiting.length >= WRITE_FROM_CHARS) this.#send()
    })
  }
}
