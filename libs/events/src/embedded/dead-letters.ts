import type { Pool } from 'pg'
import type { LogRow } from '../consumer/log-event.js'
import { CHANNEL } from './log-statements.js'

/** Most dead letters one page shows. */
const MAX_DEAD_LETTERS = 100

export interface DeadLetter {
  readonly id: number
  readonly group: string
  readonly topic: string
  readonly key: string
  readonly type: string
  readonly eventId: string
  readonly payload: unknown
  readonly requestId: string | null
  readonly occurredAt: Date
  readonly attempts: number
  /** The error of the last attempt. */
  readonly error: string
  readonly at: Date
  readonly replayRequestedAt: Date | null
  readonly replayedAt: Date | null
}

/** Which dead letters a page shows: the newest first, of one type when it is given. */
export interface DeadLettersPage {
  readonly limit?: number
  /** The last id of the page before. */
  readonly before?: number | undefined
  readonly type?: string | undefined
  /** Leaves out those that were replayed. */
  readonly openOnly?: boolean
}

/** A pool, or a dbTx of TypeORM, which returns rows without a result around them. */
type Database = Pick<Pool, 'query'> | { query(text: string, values?: unknown[]): Promise<unknown[]> }

async function rowsOf<R>(database: Database, text: string, values: unknown[]): Promise<R[]> {
  const result: unknown[] | { rows: unknown[] } = await database.query(text, values)
  return (Array.isArray(result) ? result : result.rows) as R[]
}

/** A page of dead letters. */
export function listDeadLetters(database: Database, page: DeadLettersPage = {}): Promise<DeadLetter[]> {
  const { limit = MAX_DEAD_LETTERS, before, type, openOnly = false } = page
  return rowsOf(database, LIST, [before ?? null, Math.min(limit, MAX_DEAD_LETTERS), type ?? null, openOnly])
}

/** One dead letter; null when there is none. */
export async function findDeadLetter(database: Database, id: number): Promise<DeadLetter | null> {
  return (await rowsOf<DeadLetter>(database, FIND, [id]))[0] ?? null
}

/**
 * Asks the group that failed on an event to handle it again. Any process of the group may do it. When it fails again, the
 * dead letter keeps the new error.
 * @returns false when the dead letter does not exist or has been replayed
 */
export async function requestReplay(database: Database, id: number): Promise<boolean> {
  return (await rowsOf(database, REQUEST, [id])).length === 1
}

/**
 * As `requestReplay`, for every dead letter that has not been replayed, or for those of one type. Those of one key are replayed
 * in order.
 * @returns their number
 */
export async function requestReplayOfAll(database: Database, type?: string): Promise<number> {
  return (await rowsOf<{ count: number }>(database, REQUEST_ALL, [type ?? null]))[0]?.count ?? 0
}

/** A dead letter whose replay was requested. */
export type ReplayRow = Omit<LogRow, 'position' | 'partition'> & {
  readonly dead_letter_id: string
  readonly attempts: number
}

const COLUMNS = `
         id::int AS id, consumer_group AS "group", topic, key, type, event_id AS "eventId", payload,
         request_id AS "requestId", occurred_at AS "occurredAt", attempts, error, at,
         replay_requested_at AS "replayRequestedAt", replayed_at AS "replayedAt"`

const LIST = `
  SELECT ${COLUMNS} FROM events.dead_letter
   WHERE ($1::bigint IS NULL OR id < $1) AND ($3::text IS NULL OR type = $3) AND NOT ($4 AND replayed_at IS NOT NULL)
   ORDER BY dead_letter.id DESC LIMIT $2`

const FIND = `SELECT ${COLUMNS} FROM events.dead_letter WHERE id = $1`

const REQUEST = `
  WITH asked AS (
    UPDATE events.dead_letter SET replay_requested_at = now() WHERE id = $1 AND replayed_at IS NULL
    RETURNING consumer_group)
  SELECT pg_notify('${CHANNEL}', 'replay:' || consumer_group) FROM asked`

const REQUEST_ALL = `
  WITH asked AS (
    UPDATE events.dead_letter SET replay_requested_at = now()
     WHERE replayed_at IS NULL AND ($1::text IS NULL OR type = $1) RETURNING consumer_group
  ), notified AS (
    SELECT pg_notify('${CHANNEL}', 'replay:' || consumer_group) FROM (SELECT DISTINCT consumer_group FROM asked) groups
  ) SELECT (SELECT count(*)::int FROM asked) AS count, (SELECT count(*) FROM notified) AS notified`

/**
 * The requested replay with the fewest attempts, of these the oldest, locked until its outcome is written: one that meets an outage each time
 * does not hold the others up. While an earlier dead letter of the same key is still to be replayed, it is left out: several processes of a
 * group replay at the same time.
 */
export const NEXT_REPLAY = `
  SELECT id AS dead_letter_id, topic, event_id AS id, key, type, payload, request_id, traceparent, occurred_at, attempts
    FROM events.dead_letter d
   WHERE consumer_group = $1 AND replay_requested_at IS NOT NULL AND replayed_at IS NULL
     AND NOT EXISTS (
       SELECT 1 FROM events.dead_letter e
        WHERE e.consumer_group = d.consumer_group AND e.topic = d.topic AND e.key = d.key AND e.id < d.id
          AND e.replay_requested_at IS NOT NULL AND e.replayed_at IS NULL)
   ORDER BY d.attempts, d.id LIMIT 1 FOR UPDATE OF d SKIP LOCKED`

/** $2 is the error, or null after a success. Either ends the request; with $3 the request stays, and is tried again. */
export const REPLAYED = `
  UPDATE events.dead_letter SET attempts = attempts + 1, error = coalesce($2, error),
         replayed_at = CASE WHEN $2::text IS NULL THEN now() END,
         replay_requested_at = CASE WHEN $2::text IS NULL OR $3 THEN replay_requested_at END
   WHERE id = $1`
