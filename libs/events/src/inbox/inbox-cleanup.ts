import { PeriodicCleanup } from '@holdfast/service-kit/database/periodic-cleanup'
import type { DataSource } from 'typeorm'
import { INBOX_DAYS } from './inbox.js'

const DELETE_OLD = `
  WITH deleted AS (
    DELETE FROM inbox WHERE (consumer, event_id) IN (
      SELECT consumer, event_id FROM inbox WHERE at < now() - $1 * interval '1 day' LIMIT $2)
    RETURNING 1
  ) SELECT count(*)::int AS deleted FROM deleted`

/** Deletes inbox rows that are older than any event that could still be delivered again. */
export const inboxCleanup = (dataSource: DataSource): PeriodicCleanup =>
  new PeriodicCleanup('inbox rows', async atMost => {
    const [row]: { deleted: number }[] = await dataSource.query(DELETE_OLD, [INBOX_DAYS, atMost])
    return row!.deleted
  })
