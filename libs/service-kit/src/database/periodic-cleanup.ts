import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common'
import type { DataSource } from 'typeorm'
import { loggerOf } from '../telemetry/logging.js'

const PERIOD_MS = 60_000
/** The most rows of one statement, and the most statements of one pass. A large backlog takes several passes. */
const ROWS_PER_STATEMENT = 5_000
const STATEMENTS_PER_PASS = 20

/**
 * The statement of a cleanup that deletes the rows of a table for which a condition holds.
 *
 * @param key the columns of its primary key, such as `id` or `consumer, event_id`
 * @param condition SQL, such as `expires_at < now()`
 */
export const deletionOf = (table: string, key: string, condition: string): string =>
  `WITH deleted AS (
     DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT $1) RETURNING 1
   ) SELECT count(*)::int AS deleted FROM deleted`

/**
 * Deletes old rows once a minute while the service runs. A pass has a limit, so that it stays short. A failed pass is
 * logged, and the next one tries again.
 */
export abstract class PeriodicCleanup implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined

  /**
   * @param what the name of the rows in the log, such as `idempotency keys`
   * @param statement SQL that deletes at most `$1` rows and answers how many as `deleted`
   */
  protected constructor(
    private readonly dataSource: DataSource,
    private readonly what: string,
    private readonly statement: string,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.run(), PERIOD_MS)
    this.timer.unref()
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer)
  }

  /** One pass now. */
  async run(atMost = ROWS_PER_STATEMENT): Promise<void> {
    try {
      for (let n = 0; n < STATEMENTS_PER_PASS; n++) if ((await this.deleteSome(atMost)) < atMost) return
    } catch (error) {
      loggerOf('cleanup').warn({ err: error, what: this.what }, 'old rows could not be deleted')
    }
  }

  private async deleteSome(atMost: number): Promise<number> {
    const [row]: { deleted: number }[] = await this.dataSource.query(this.statement, [atMost])
    return row!.deleted
  }
}
