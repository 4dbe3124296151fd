import fs from 'node:fs'

/**
 * Writes log lines to a file descriptor. Lines that cannot be written are lost, such as while the disk is full. The next line that is written has
 * their number before it. Pino's own destination would repeat a failed write without end, and so block the process.
 */
export class LogDestination {
  #lost = 0
  /** The file ends within a line. */
  #isTorn = false

  constructor(private readonly fd: number) {}

  write(line: string): void {
    try {
      if (this.#lost > 0)
        this.#put(`${this.#isTorn ? '\n' : ''}{"level":40,"msg":"${this.#lost} log lines were lost"}\n`)
      this.#lost = 0
      this.#put(line)
    } catch {
      // This error cannot be logged, because the log itself fails. It is counted.
      this.#lost++
    }
  }

  /** @throws Error when not all of it was written: a disk that is nearly full takes a part of a line */
  #put(text: string): void {
    const bytes = Buffer.from(text)
    const written = fs.writeSync(this.fd, bytes)
    this.#isTorn = written < bytes.length
    if (this.#isTorn) throw new Error('only a part of the line was written')
  }
}
