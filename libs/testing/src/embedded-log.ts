import type { EventEnvelope } from '@holdfast/contracts/events'
import type { ServiceName } from '@holdfast/contracts/route'
import { EmbeddedTransport } from '@holdfast/events/embedded/embedded-transport'
import type { TestDatabase } from '@holdfast/test-database/test-database'
import { type EventLog, stored } from './event-log.js'

/** The log that a scratch database holds. */
export class EmbeddedLog implements EventLog {
  readonly environment = {}

  constructor(private readonly database: TestDatabase) {}

  async publish(service: ServiceName, events: readonly EventEnvelope[]): Promise<void> {
    const transport = new EmbeddedTransport({ databaseUrl: this.database.url(), service, cleans: false })
    await transport.start()
    try {
      await transport.publish(events.map(stored))
    } finally {
      await transport.stop()
    }
  }

  async redeliverAll(group: ServiceName): Promise<void> {
    await this.database.admin.query('UPDATE events.cursor SET position = 0 WHERE consumer_group = $1', [group])
  }

  async isCaughtUp(group: ServiceName): Promise<boolean> {
    const { rows } = await this.database.admin.query(
      `SELECT 1 FROM events.cursor c JOIN events.head h USING (topic, partition)
       WHERE c.consumer_group = $1 AND c.position < h.next - 1`,
      [group],
    )
    return rows.length === 0
  }

  async close(): Promise<void> {}
}
