import { PeriodicCleanup } from '@holdfast/service-kit/database/periodic-cleanup'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

/** How long a refused filing is kept. After that time no call for it can arrive any more, and its idempotency key is deleted. */
const KEPT_DAYS = 30

const DELETE_OLD = `WITH deleted AS (
  DELETE FROM dispute WHERE id IN (
    SELECT id FROM dispute WHERE step = 'refused' AND updated_at < now() - interval '${KEPT_DAYS} days'
    LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING 1
) SELECT count(*)::int AS deleted FROM deleted`

/** Deletes filings that escrow has refused, once they are old. */
@Injectable()
export class RefusedFilingsCleanup extends PeriodicCleanup {
  constructor(@InjectDataSource() dataSource: DataSource) {
    super(dataSource, 'refused filings', DELETE_OLD)
  }
}
