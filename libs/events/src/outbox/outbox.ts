import type { EventEnvelope } from '@holdfast/contracts/events'
import { assert } from '@holdfast/kernel/assert'
import { BatchStatement, type Insert, type Row } from '@holdfast/service-kit/database/batch-statement'
import { MAX_PAYLOAD_BYTES } from './event.js'

/** Most events one command may write. */
export const MAX_EVENTS_PER_COMMAND = 1_000

/** The columns of an outbox row, without its id. */
const OUTBOX_COLUMNS = {
  event_id: 'uuid',
  topic: 'text',
  key: 'text',
  type: 'text',
  payload: 'jsonb',
  request_id: 'text',
  traceparent: 'text',
  at: 'timestamptz',
} as const

const outboxRow = (event: EventEnvelope): Row<typeof OUTBOX_COLUMNS> => ({
  event_id: event.id,
  topic: event.topic,
  key: event.key,
  type: event.type,
  payload: payloadText(event),
  request_id: event.requestId ?? null,
  traceparent: event.traceparent ?? null,
  at: event.occurredAt,
})

/**
 * The INSERT of events as a part of a larger statement, for a command that writes everything in one statement. Events are
 * inserted in the order given, so that two events of one command stay in order.
 *
 * @param table the outbox, with its schema
 * @param events the events of one item of the statement
 * @param join decides which events are written, such as `deal ON deal.id = event.key::bigint`; all when left out
 */
export function outboxInsert<Item>(
  table: string,
  events: (item: Item) => readonly EventEnvelope[],
  join?: string,
): Insert<Item, typeof OUTBOX_COLUMNS> {
  const rows = (item: Item) => {
    const written = events(item)
    assert(written.length <= MAX_EVENTS_PER_COMMAND, `a command writes at most ${MAX_EVENTS_PER_COMMAND} events`)
    return written.map(outboxRow)
  }
  return { table, columns: OUTBOX_COLUMNS, rows, as: 'event', ordered: true, ...(join && { join }) }
}

/** A statement that only writes events. The outbox is that of the search_path unless a table is named. */
export const outboxStatement = (table = 'outbox') =>
  new BatchStatement<readonly EventEnvelope[]>('append_to_outbox', part =>
    part.insert(outboxInsert(table, events => events)),
  )

function payloadText(event: EventEnvelope): string {
  const text = JSON.stringify(event.payload)
  assert(text.length <= MAX_PAYLOAD_BYTES, `the payload of ${event.type} is longer than ${MAX_PAYLOAD_BYTES} bytes`)
  return text
}

/** A dbTx: TypeORM's EntityManager, or a pg client inside a transaction. Its search_path leads to the service's schema. */
export interface DbTx {
  query(text: string, values?: unknown[]): Promise<unknown>
}

const APPEND = outboxStatement()

/**
 * Writes events in the dbTx of the change that they describe, so both are committed or neither is. The caller must have
 * locked the aggregate's row; otherwise two events of one key may get the wrong order.
 */
export async function appendToOutbox(dbTx: DbTx, ...events: readonly EventEnvelope[]): Promise<void> {
  if (events.length === 0) return
  await dbTx.query(APPEND.text, APPEND.values([events]))
  noteCommit(dbTx)
}

/** Query runners whose commit must wake the relay. A weak set, because a rolled back one is never removed from it. */
const waiting = new WeakSet<object>()

function noteCommit(dbTx: DbTx): void {
  const runner: unknown = 'queryRunner' in dbTx ? dbTx.queryRunner : undefined
  if (typeof runner === 'object' && runner !== null) waiting.add(runner)
}

/** Whether events were appended through this query runner since the last call. */
export function takeAppended(queryRunner: object): boolean {
  return waiting.delete(queryRunner)
}
