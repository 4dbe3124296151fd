import { PeriodicCleanup } from '@holdfast/service-kit/database/periodic-cleanup'
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

/** Deletes webhook events that are so old that the provider no longer resends them. */
@Injectable()
export class WebhookEventsCleanup implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly cleanup: PeriodicCleanup

  constructor(@InjectDataSource() dataSource: DataSource) {
    this.cleanup = new PeriodicCleanup('webhook events', async atMost => {
      const [row]: { deleted: number }[] = await dataSource.query('SELECT forget_webhook_events($1) AS deleted', [
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

  /** Runs one pass now. */
  run(atMost?: number): Promise<void> {
    return this.cleanup.run(atMost)
  }
}
