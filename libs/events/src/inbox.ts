import type { EventEnvelope } from '@holdfast/contracts/events'
import type { DataSource, EntityManager } from 'typeorm'

/** How long a service remembers what it has handled: longer than any transport keeps an event. */
export const INBOX_DAYS = 30

const REMEMBER = 'INSERT INTO inbox (consumer, event_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1'

/**
 * Does `work` for an event once: the note that it was done and the work are one dbTx, so a redelivered event has no
 * second effect, and a failed one leaves no trace. Two deliveries at the same moment wait for each other.
 *
 * @param consumer names the handler; two handlers of one event each have their own
 * @returns false when the event had been handled before
 */
export async function once(
  dataSource: DataSource,
  consumer: string,
  event: Pick<EventEnvelope, 'id'>,
  work: (manager: EntityManager) => Promise<void>,
): Promise<boolean> {
  return dataSource.transaction(async manager => {
    const noted: unknown[] = await manager.query(REMEMBER, [consumer, event.id])
    if (noted.length === 0) return false
    await work(manager)
    return true
  })
}
