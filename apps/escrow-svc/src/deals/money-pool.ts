import type { BatchStatement } from '@holdfast/service-kit/database/batch-statement'
import type { OnApplicationShutdown } from '@nestjs/common'
import type pg from 'pg'

/**
 * The connections of the money path. They are few, since one statement does the work of many commands. Statements are
 * named, so that each connection plans them once.
 */
export class MoneyPool implements OnApplicationShutdown {
  constructor(
    private readonly pool: pg.Pool,
    /** Wakes the relay: what was just committed may hold events. */
    readonly wrote: () => void,
  ) {}

  async run<Item, R extends pg.QueryResultRow>(statement: BatchStatement<Item>, items: readonly Item[]): Promise<R[]> {
    const { name, text } = statement
    return (await this.pool.query<R>({ name, text, values: statement.values(items) })).rows
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end()
  }
}
