import { PeriodicCleanup } from '@holdfast/service-kit/database/periodic-cleanup'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

/** Deletes webhook events that are too old to be sent again. */
@Injectable()
export class WebhookEventsCleanup extends PeriodicCleanup {
  constructor(@InjectDataSource() dataSource: DataSource) {
    super(dataSource, 'webhook events', 'SELECT forget_webhook_events($1) AS deleted')
  }
}
