import type { DataSource } from 'typeorm'
import { PeriodicJob } from '../lifecycle/periodic-job.js'

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

/** Deletes old rows once a minute while the service runs. A pass has a limit, so that it stays short. */
export abstract class PeriodicCleanup extends PeriodicJob {
  /**
   * @param what the name of the rows in the log, such as `idempotency keys`
   * @param statement SQL that deletes at most `$1` rows and answers how many as `deleted`
   */
  protected constructor(
    private readonly dataSource: DataSource,
    what: string,
    private readonly statement: string,
  ) {
    super(PERIOD_MS, `old ${what} could not be deleted`)
  }

  /** One pass now. */
  async run(atMost = ROWS_PER_STATEMENT): Promise<void> {
    for (let n = 0; n < STATEMENTS_PER_PASS && !this.isStopping; n++)
      if ((await this.deleteSome(atMost)) < atMost) return
  }

  private async deleteSome(atMost: number): Promise<number> {
    const [row]: { deleted: number }[] = await this.dataSource.query(this.statement, [atMost])
    return row!.deleted
  }
}
