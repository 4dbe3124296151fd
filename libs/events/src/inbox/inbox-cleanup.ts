import { PeriodicCleanup } from '@holdfast/service-kit/database/periodic-cleanup'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { INBOX_DAYS } from './inbox.js'

const DELETE_OLD = `
  WITH deleted AS (
    DELETE FROM inbox WHERE (consumer, event_id) IN (
      SELECT consumer, event_id FROM inbox WHERE at < now() - interval '${INBOX_DAYS} days' LIMIT $1)
    RETURNING 1
  ) SELECT count(*)::int AS deleted FROM deleted`

/** Deletes inbox rows that are older than any event that could still be delivered again. */
@Injectable()
export class InboxCleanup extends PeriodicCleanup {
  constructor(@InjectDataSource() dataSource: DataSource) {
    super(dataSource, 'inbox rows', DELETE_OLD)
  }
}
