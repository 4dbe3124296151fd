import { loggerOf } from '../telemetry/logging.js'

const PERIOD_MS = 60_000
/** What one statement deletes at most, and the statements of one pass: a large backlog is deleted over several passes. */
const ROWS_PER_STATEMENT = 5_000
const STATEMENTS_PER_PASS = 20

/**
 * Deletes old rows once a minute, in passes that stay short whatever has piled up. A pass that fails is logged, and the
 * next one tries again.
 */
export class PeriodicCleanup {
  private timer: NodeJS.Timeout | undefined

  /**
   * @param what names the rows for the log: `idempotency keys`
   * @param deleteSome deletes at most so many rows and answers how many it deleted
   */
  constructor(
    private readonly what: string,
    private readonly deleteSome: (atMost: number) => Promise<number>,
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.run(), PERIOD_MS)
    this.timer.unref()
  }

  stop(): void {
    clearInterval(this.timer)
  }

  /** One pass. */
  async run(atMost = ROWS_PER_STATEMENT): Promise<void> {
    try {
      for (let n = 0; n < STATEMENTS_PER_PASS; n++) if ((await this.deleteSome(atMost)) < atMost) return
    } catch (error) {
      loggerOf('cleanup').warn({ err: error, what: this.what }, 'old rows could not be deleted')
    }
  }
}
