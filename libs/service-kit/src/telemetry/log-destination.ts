import fs from 'node:fs'
import type { DestinationStream } from 'pino'

/** Lines wait for company until so much is there, or so long has passed: a write per line costs more than the line. */
const WRITE_FROM_CHARS = 12_288
const WRITE_EVERY_MS = 500
/** What waits at most while nothing can be written. Lines on top of that are lost: the process matters more. */
const MAX_WAITING_CHARS = 1_048_576
/** How long the last moment of a process waits for a reader that is slow. */
const LAST_TRIES = 20
const LAST_PAUSE_MS = 25

/**
 * Writes log lines to a file descriptor. A disk that is full or a reader that is gone must neither end the process nor
 * hold it up, as pino's own destination does (its synchronous flush repeats a failed write for ever): what cannot be
 * written waits, up to a limit, and goes out once there is room.
 */
export class LogDestination implements DestinationStream {
  #waiting = ''
  #out: Buffer = Buffer.alloc(0)
  #isWriting = false

  constructor(private readonly fd: number) {
    setInterval(() => this.#send(), WRITE_EVERY_MS).unref()
  }

  write(line: string): void {
    if (this.#waiting.length + line.length > MAX_WAITING_CHARS) return
    this.#waiting += line
    if (this.#waiting.length >= WRITE_FROM_CHARS && this.#out.length === 0) this.#send()
  }

  /** Writes what waits, for the last moment of a process: never for longer than half a second. */
  flushSync(): void {
    // What is being written at this moment is on its way already.
    const now = this.#isWriting ? [] : [this.#out]
    let rest = Buffer.concat([...now, Buffer.from(this.#waiting)])
    this.#out = Buffer.alloc(0)
    this.#waiting = ''
    for (let tries = 0; rest.length > 0 && tries < LAST_TRIES; tries++) {
      try {
        rest = rest.subarray(fs.writeSync(this.fd, rest))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LAST_PAUSE_MS)
      }
    }
  }

  #send(): void {
    if (this.#isWriting) return
    if (this.#out.length === 0) {
      this.#out = Buffer.from(this.#waiting)
      this.#waiting = ''
    }
    if (this.#out.length === 0) return
    this.#isWriting = true
    fs.write(this.fd, this.#out, (error, written) => {
      this.#isWriting = false
      // There is nowhere to tell this: the log itself is what fails. The next tick of the clock tries again.
      if (error) return
      this.#out = this.#out.subarray(written)
      if (this.#out.length > 0 || this.#waiting.length >= WRITE_FROM_CHARS) this.#send()
    })
  }
}
