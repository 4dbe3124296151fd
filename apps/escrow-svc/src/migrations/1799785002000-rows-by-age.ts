import { INBOX_BY_AGE } from '@holdfast/events/migrations'
import { OnlineIndexes } from '@holdfast/service-kit/database/online-indexes'
import { IDEMPOTENCY_BY_AGE } from '@holdfast/service-kit/idempotency/idempotency-table'

/** The indexes by which old rows are found that are to be deleted. */
export class RowsByAge1799785002000 extends OnlineIndexes {
  readonly name = 'RowsByAge1799785002000'
  protected readonly indexes = {
    ...INBOX_BY_AGE,
    ...IDEMPOTENCY_BY_AGE,
    webhook_event_received_at: 'webhook_event (received_at)',
  }
}
