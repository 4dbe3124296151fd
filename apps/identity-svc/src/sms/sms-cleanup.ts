import { deletionOf, PeriodicCleanup } from '@holdfast/service-kit/database/periodic-cleanup'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

const KEPT_DAYS = 30

/** Deletes texts that ended long ago: they have people's numbers in them. */
@Injectable()
export class SmsCleanup extends PeriodicCleanup {
  constructor(@InjectDataSource() dataSource: DataSource) {
    super(dataSource, 'texts', deletionOf('sms', 'id', `ended_at < now() - interval '${KEPT_DAYS} days'`))
  }
}
