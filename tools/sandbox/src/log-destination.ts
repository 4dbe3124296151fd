import fs from 'node:fs'

/**
 * Writes log lines to a file descriptor. Lines that cannot be written are lost, such as while the disk is full; the next line that can be
 * is preceded by their number. Pino's own destination would repeat a failed write without end, and so block the process.
 */
export class LogDestination {
  #lost = 0

  constructor(private readonly fd: number) {}

  write(line: string): void {
    try {
      if (this.#lost > 0) fs.writeSync(this.fd, `{"level":40,"msg":"${this.#lost} log lines were lost"}\n`)
      this.#lost = 0
      fs.writeSync(this.fd, line)
    } catch {
      // This error cannot be logged, because the log itself fails. It is counted.
      this.#lost++
    }
  }
}
