import type { DataSource } from 'typeorm'
import { PeriodicJob } from '../lifecycle/periodic-job.js'

const PERIOD_MS = 60_000
/** The most rows of one statement, and the most statements of one pass. A large backlog takes several passes. */
const ROWS_PER_STATEMENT = 5_000
const STATEMENTS_PER_PASS = 20

/**
 * The statement of a cleanup that deletes the oldest rows of a table. However many old rows PostgreSQL expects, it does not read the whole
 * table: the order leads it to the index, and the rows are deleted by their physical address (`ctid`), which needs no join. The lock
 * keeps it the same until then. Rows that are locked already are left for the next pass.
 *
 * @param time SQL of the time by which an index of the table finds its rows, such as `expires_at`
 * @param days how many days ago that time is at least
 * @param condition SQL that must hold, too: that of the index, when it is partial
 */
export const deletionOf = (table: string, time: string, days = 0, condition = 'true'): string =>
  `WITH deleted AS (
     DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM ${table} WHERE ${condition} AND ${time} < now() - interval '${days} days'
       ORDER BY ${time} LIMIT $1 FOR UPDATE SKIP LOCKED)) RETURNING 1
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
    readonly statement: string,
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
