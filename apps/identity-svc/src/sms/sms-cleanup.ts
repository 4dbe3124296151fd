import { deletionOf, PeriodicCleanup } from '@holdfast/service-kit/database/periodic-cleanup'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { IdentityConfig } from '../config.js'

/** Deletes texts that ended long ago: they have people's numbers in them. */
@Injectable()
export class SmsCleanup extends PeriodicCleanup {
  constructor(@InjectDataSource() dataSource: DataSource, @Inject(CONFIG) { TEXT_KEPT_DAYS }: IdentityConfig) {
    super(dataSource, 'texts', deletionOf('sms', 'ended_at', TEXT_KEPT_DAYS))
  }
}
