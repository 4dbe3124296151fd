import { PeriodicCleanup } from '@holdfast/service-kit/database/periodic-cleanup'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { isOlderThan } from '@holdfast/service-kit/lifecycle/retention'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { DisputeConfig } from '../config.js'

const deletion = (keptDays: number) => `WITH deleted AS (
  DELETE FROM dispute WHERE id IN (
    SELECT id FROM dispute WHERE step = 'refused' AND ${isOlderThan('updated_at', keptDays)}
    LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING 1
) SELECT count(*)::int AS deleted FROM deleted`

/** Deletes filings that escrow has refused, once no call for one can arrive any more and its idempotency key is deleted. */
@Injectable()
export class RefusedFilingsCleanup extends PeriodicCleanup {
  constructor(@InjectDataSource() dataSource: DataSource, @Inject(CONFIG) { REFUSED_FILING_KEPT_DAYS }: DisputeConfig) {
    super(dataSource, 'refused filings', deletion(REFUSED_FILING_KEPT_DAYS))
  }
}
