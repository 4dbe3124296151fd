import { loggerOf } from '../telemetry/logging.js'

const PERIOD_MS = 60_000
/** The most rows of one statement, and the most statements of one pass. A large backlog takes several passes. */
const ROWS_PER_STATEMENT = 5_000
const STATEMENTS_PER_PASS = 20

/**
 * Deletes old rows once a minute. A pass has a limit, so that it stays short. A failed pass is logged, and the next one
 * tries again.
 */
export class PeriodicCleanup {
  private timer: NodeJS.Timeout | undefined

  /**
   * @param what the name of the rows in the log, such as `idempotency keys`
   * @param deleteSome deletes at most the given number of rows and returns how many it deleted
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

  async run(atMost = ROWS_PER_STATEMENT): Promise<void> {
    try {
      for (let n = 0; n < STATEMENTS_PER_PASS; n++) if ((await this.deleteSome(atMost)) < atMost) return
    } catch (error) {
      loggerOf('cleanup').warn({ err: error, what: this.what }, 'old rows could not be deleted')
    }
  }
}
