import type { EventEnvelope } from '@holdfast/contracts/events'
import { assert } from '@holdfast/kernel/assert'
import { MAX_PAYLOAD_BYTES } from './event.js'

/** Most events one command may write. */
export const MAX_EVENTS_PER_COMMAND = 1_000

/** What an outbox row holds beside its id, in the order of `outboxValues`. */
export const OUTBOX_COLUMNS = 'event_id, topic, key, type, payload, request_id, traceparent, at'

const COLUMN_TYPES = ['uuid', 'text', 'text', 'text', 'jsonb', 'text', 'text', 'timestamptz'] as const

/** How many parameters `outboxInsert` takes. */
export const OUTBOX_PARAMETERS = COLUMN_TYPES.length

/**
 * The INSERT of events as part of a larger statement, one array parameter per column, for a command that writes
 * everything in one statement. Rows are inserted in the order given, so that two events of one command stay in order.
 *
 * @param table the outbox, with its schema
 * @param first the number of the first of its eight parameters, whose values `outboxValues` makes
 * @param hangsOn a join that decides which events are written, such as `t ON t.id::text = event.key`; all when left out
 */
export function outboxInsert(table: string, first: number, hangsOn?: string): string {
  const arrays = COLUMN_TYPES.map((type, i) => `$${first + i}::${type}[]`).join(', ')
  const columns = OUTBOX_COLUMNS.split(', ').map(column => `event.${column}`)
  return `INSERT INTO ${table} (${OUTBOX_COLUMNS}) SELECT ${columns.join(', ')}
    FROM unnest(${arrays}) WITH ORDINALITY AS event(${OUTBOX_COLUMNS}, nth)${hangsOn ? ` JOIN ${hangsOn}` : ''} ORDER BY event.nth`
}

/** The parameters of `outboxInsert`: one array per column. */
export function outboxValues(events: readonly EventEnvelope[]): unknown[] {
  assert(events.length <= MAX_EVENTS_PER_COMMAND, `a command writes at most ${MAX_EVENTS_PER_COMMAND} events`)
  return [
    events.map(event => event.id),
    events.map(event => event.topic),
    events.map(event => event.key),
    events.map(event => event.type),
    events.map(payloadText),
    events.map(event => event.requestId ?? null),
    events.map(event => event.traceparent ?? null),
    events.map(event => event.occurredAt),
  ]
}

function payloadText(event: EventEnvelope): string {
  const text = JSON.stringify(event.payload)
  assert(text.length <= MAX_PAYLOAD_BYTES, `the payload of ${event.type} is longer than ${MAX_PAYLOAD_BYTES} bytes`)
  return text
}

/** A dbTx: TypeORM's EntityManager, or a pg client inside a transaction. Its search_path leads to the service's schema. */
export interface DbTx {
  query(text: string, values?: unknown[]): Promise<unknown>
}

const APPEND = outboxInsert('outbox', 1)

/**
 * Writes events with the change they tell of: both commit, or neither does. Lock the aggregate's row before, or two
 * events of one key may swap.
 */
export async function appendToOutbox(dbTx: DbTx, ...events: readonly EventEnvelope[]): Promise<void> {
  if (events.length === 0) return
  await dbTx.query(APPEND, outboxValues(events))
  noteCommit(dbTx)
}

/** Query runners whose commit must wake the relay. Weak, since a rolled back one is never heard of again. */
const waiting = new WeakSet<object>()

function noteCommit(dbTx: DbTx): void {
  const runner: unknown = 'queryRunner' in dbTx ? dbTx.queryRunner : undefined
  if (typeof runner === 'object' && runner !== null) waiting.add(runner)
}

/** Whether events were appended through this query runner since it was asked last. */
export function takeAppended(queryRunner: object): boolean {
  return waiting.delete(queryRunner)
}
