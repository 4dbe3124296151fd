import type { BatchStatement } from '@holdfast/service-kit/database/batch-statement'
import type { OnApplicationShutdown } from '@nestjs/common'
import type pg from 'pg'

/**
 * The connections of the money path. A few are enough, because one statement does the work of many commands. Statements
 * are named, so each connection plans them once.
 */
export class MoneyPool implements OnApplicationShutdown {
  constructor(
    private readonly pool: pg.Pool,
    /** Called after each write. It wakes the outbox relay, because the write may have committed events. */
    readonly onWrite: () => void,
  ) {}

  async run<Item, R extends pg.QueryResultRow>(statement: BatchStatement<Item>, items: readonly Item[]): Promise<R[]> {
    const { name, text } = statement
    return (await this.pool.query<R>({ name, text, values: statement.values(items) })).rows
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end()
  }
}
