import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { createPool } from '@holdfast/service-kit/database/pool'
import type { OnApplicationShutdown } from '@nestjs/common'

/** The pool has one. */
export const CLOCK_CONNECTIONS = 1

/** The connection over which the gateway, which keeps no data, asks for the database's time. */
export class ClockConnection implements OnApplicationShutdown {
  private readonly pool

  constructor(databaseUrl: string) {
    this.pool = createPool(databaseUrl, { schema: 'events', max: CLOCK_CONNECTIONS })
  }

  async query(sql: string): Promise<unknown[]> {
    return (await this.pool.query(sql)).rows
  }

  now(): Promise<Date> {
    return databaseTime(this)
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end()
  }
}
