import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { PeriodicCleanup } from '../database/periodic-cleanup.js'

/** Deletes a service's idempotency keys after `IDEMPOTENCY_DAYS`. A provider of every service that has the table. */
@Injectable()
export class IdempotencyCleanup implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly cleanup: PeriodicCleanup

  constructor(@InjectDataSource() dataSource: DataSource) {
    this.cleanup = new PeriodicCleanup('idempotency keys', async atMost => {
      const [row]: { deleted: number }[] = await dataSource.query('SELECT forget_idempotency_keys($1) AS deleted', [
        atMost,
      ])
      return row!.deleted
    })
  }

  onApplicationBootstrap(): void {
    this.cleanup.start()
  }

  onApplicationShutdown(): void {
    this.cleanup.stop()
  }

  /** Runs one pass now, for tests. */
  run(atMost?: number): Promise<void> {
    return this.cleanup.run(atMost)
  }
}
