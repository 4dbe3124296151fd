import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type { DataSource } from 'typeorm'
import { INBOX_DAYS } from './inbox.js'

const CLEANING_MS = 60_000
/** Most rows that one pass deletes, so that it stays short. */
const ROWS_PER_CLEANING = 10_000

/** Deletes inbox rows that are older than any event that could be delivered again. */
export class InboxCleaner {
  private readonly logger = loggerOf('inbox-cleaner')
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly dataSource: DataSource) {}

  start(): void {
    this.timer = setInterval(() => void this.clean(), CLEANING_MS)
    this.timer.unref()
  }

  stop(): void {
    clearInterval(this.timer)
  }

  /** One bounded pass. After a failure the next one tries again. */
  async clean(days = INBOX_DAYS): Promise<void> {
    try {
      await this.dataSource.query(CLEAN, [days, ROWS_PER_CLEANING])
    } catch (error) {
      this.logger.warn({ err: error }, 'the inbox could not be cleaned')
    }
  }
}

const CLEAN = `
  DELETE FROM inbox WHERE (consumer, event_id) IN (
    SELECT consumer, event_id FROM inbox WHERE at < now() - $1 * interval '1 day' LIMIT $2)`
