import { createPool } from '@holdfast/service-kit/database/database'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import type { OnApplicationShutdown } from '@nestjs/common'

/** The connection over which the gateway, which keeps no data, asks for the database's time. */
export class ClockConnection implements OnApplicationShutdown {
  private readonly pool

  constructor(databaseUrl: string) {
    this.pool = createPool(databaseUrl, { schema: 'events', max: 1 })
  }

  now(): Promise<Date> {
    return databaseTime({ query: async text => (await this.pool.query(text)).rows })
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end()
  }
}
