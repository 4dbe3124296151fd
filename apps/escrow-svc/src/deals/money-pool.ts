import type { OnApplicationShutdown } from '@nestjs/common'
import type pg from 'pg'

/**
 * The connections of the money path: few, since a shared statement does the work of many, with the statements named so
 * that each is planned once.
 */
export class MoneyPool implements OnApplicationShutdown {
  constructor(
    private readonly pool: pg.Pool,
    /** Wakes the relay: what was just committed may hold events. */
    readonly wrote: () => void,
  ) {}

  async run<R extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<R[]> {
    return (await this.pool.query<R>({ name, text, values })).rows
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end()
  }
}
