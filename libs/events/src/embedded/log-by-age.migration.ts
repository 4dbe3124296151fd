import { OnlineIndexes } from '@holdfast/service-kit/database/online-indexes'

/** The index by which the log's old events are found, for the reason of `IDEMPOTENCY_BY_AGE`. */
export class LogByAge1799785002000 extends OnlineIndexes {
  readonly name = 'LogByAge1799785002000'
  protected readonly indexes = { log_published_at: 'events.log (published_at)' }
}
