import { deletionOf, PeriodicCleanup } from '@holdfast/service-kit/database/periodic-cleanup'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { DisputeConfig } from '../config.js'

/** Deletes filings that escrow has refused, once no call for one can arrive any more and its idempotency key is deleted. */
@Injectable()
export class RefusedFilingsCleanup extends PeriodicCleanup {
  constructor(@InjectDataSource() dataSource: DataSource, @Inject(CONFIG) { REFUSED_FILING_KEPT_DAYS }: DisputeConfig) {
    super(
      dataSource,
      'refused filings',
      deletionOf('dispute', 'updated_at', REFUSED_FILING_KEPT_DAYS, `step = 'refused'`),
    )
  }
}
