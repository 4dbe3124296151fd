import type { EventEnvelope } from '@holdfast/contracts/events'
import type { DataSource, EntityManager } from 'typeorm'

/** How long a service remembers what it has handled: longer than any transport keeps an event. */
export const INBOX_DAYS = 30

const REMEMBER = `INSERT INTO inbox (consumer, event_id) SELECT $1, unnest($2::uuid[]) ON CONFLICT DO NOTHING
  RETURNING event_id`

/** Each event once. Two deliveries of one can meet in a statement, and the inbox does not tell them apart inside it. */
export const eachEventOnce = <T extends { readonly eventId: string }>(deliveries: readonly T[]): T[] => [
  ...new Map(deliveries.map(delivery => [delivery.eventId, delivery])).values(),
]

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
  return (await onceEach(dataSource, consumer, [{ event }], manager => work(manager))) > 0
}

/**
 * The same for several events in one dbTx: `work` gets those that were not handled before, in the order given, and is
 * not called when there is none. It fails for all of them together, so call it from a `batchCalls`, which repeats
 * a refused flight one by one.
 *
 * @returns how many were new
 */
export async function onceEach<T extends { readonly event: Pick<EventEnvelope, 'id'> }>(
  dataSource: DataSource,
  consumer: string,
  deliveries: readonly T[],
  work: (manager: EntityManager, fresh: readonly T[]) => Promise<void>,
): Promise<number> {
  return dataSource.transaction(async manager => {
    const ids = deliveries.map(({ event }) => event.id)
    const noted: { event_id: string }[] = await manager.query(REMEMBER, [consumer, ids])
    if (noted.length === 0) return 0
    const fresh = new Set(noted.map(row => row.event_id))
    // Once in the flight, too: `delete` is false for an id that was taken.
    await work(
      manager,
      deliveries.filter(({ event }) => fresh.delete(event.id)),
    )
    return noted.length
  })
}
