import type { DataSource, EntityManager } from 'typeorm'
import { PeriodicJob } from '../lifecycle/periodic-job.js'

const ROWS_PER_DBTX = 500

/** A `PeriodicJob` that changes rows, some in each dbTx, until none is left to change. */
export abstract class BatchedJob extends PeriodicJob {
  protected constructor(
    private readonly dataSource: DataSource,
    everyMs: number,
    failure: string,
  ) {
    super(everyMs, failure)
  }

  /**
   * Changes all rows that are left.
   *
   * @param what the words of the log when there were some
   * @param step changes at most `limit` rows in the dbTx, and answers how many
   */
  protected async all(what: string, step: (dbTx: EntityManager, limit: number) => Promise<number>): Promise<void> {
    let rows = 0
    for (let n = ROWS_PER_DBTX; n === ROWS_PER_DBTX && !this.isStopping; rows += n) {
      n = await this.dataSource.transaction(dbTx => step(dbTx, ROWS_PER_DBTX))
    }
    if (rows > 0) this.logger.info({ rows }, what)
  }
}
