import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { PeriodicCleanup } from '../database/periodic-cleanup.js'

/** Deletes a service's idempotency keys after `IDEMPOTENCY_DAYS`. A provider of every service that has the table. */
@Injectable()
export class IdempotencyCleanup extends PeriodicCleanup {
  constructor(@InjectDataSource() dataSource: DataSource) {
    super(dataSource, 'idempotency keys', 'SELECT forget_idempotency_keys($1) AS deleted')
  }
}
