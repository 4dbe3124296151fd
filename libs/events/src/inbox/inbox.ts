import type { DataSource, EntityManager } from 'typeorm'

/** How long inbox rows are kept: longer than any transport keeps an event. */
export const INBOX_DAYS = 30

const RECORD = `INSERT INTO inbox (consumer, event_id) SELECT $1, unnest($2::uuid[]) ON CONFLICT DO NOTHING
  RETURNING event_id`

/**
 * Handles events in one dbTx with their inbox rows. An event that is delivered again has no second effect, and one that
 * failed leaves no row. When an event is delivered twice at the same time, the second delivery waits until the first has committed
 * or failed. The service's `@OnEvent` handlers are called this way.
 *
 * @param consumer names the handler; each handler has its own rows
 * @param work gets the events that were not handled before, in the order given, each once; it is not called when there
 * is none. When it fails, all of them fail
 * @returns how many events were new
 */
export async function handleOnce<E extends { readonly id: string }>(
  dataSource: DataSource,
  consumer: string,
  events: readonly E[],
  work: (fresh: readonly E[], manager: EntityManager) => Promise<void>,
): Promise<number> {
  return dataSource.transaction(async manager => {
    const recorded: { event_id: string }[] = await manager.query(RECORD, [consumer, events.map(({ id }) => id)])
    if (recorded.length === 0) return 0
    const fresh = new Set(recorded.map(row => row.event_id))
    // `delete` returns false for a repeated id, so duplicates in the input are dropped as well.
    await work(
      events.filter(({ id }) => fresh.delete(id)),
      manager,
    )
    return recorded.length
  })
}
