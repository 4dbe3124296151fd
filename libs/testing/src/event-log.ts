import type { EventEnvelope } from '@holdfast/contracts/events'
import type { ServiceName } from '@holdfast/contracts/route'
import { EmbeddedTransport } from '@holdfast/events/embedded/embedded-transport'
import type { StoredEvent } from '@holdfast/events/transport'
import type { ScratchDatabase } from './scratch-database.js'

/** Publishes events as another service would, so that the service under test consumes them. */
export async function publishAs(
  service: ServiceName,
  database: ScratchDatabase,
  ...events: readonly EventEnvelope[]
): Promise<void> {
  const transport = new EmbeddedTransport({ databaseUrl: database.url(), service, cleans: false })
  await transport.start()
  try {
    await transport.publish(events.map(stored))
  } finally {
    await transport.stop()
  }
}

/** The event as the relay hands it to a transport. */
export const stored = (event: EventEnvelope): StoredEvent => ({
  ...event,
  payload: JSON.stringify(event.payload),
  requestId: event.requestId ?? null,
  traceparent: event.traceparent ?? null,
})

/** Makes a service's group read all events again, as after a crash that lost its progress. */
export async function redeliverAll(group: ServiceName, database: ScratchDatabase): Promise<void> {
  await database.admin.query('UPDATE events.cursor SET position = 0 WHERE consumer_group = $1', [group])
}

/** Whether a service's group has read all events. */
export async function isCaughtUp(group: ServiceName, database: ScratchDatabase): Promise<boolean> {
  const { rows } = await database.admin.query(
    `SELECT 1 FROM events.cursor c JOIN events.head h USING (topic, partition)
     WHERE c.consumer_group = $1 AND c.position < h.next - 1`,
    [group],
  )
  return rows.length === 0
}
