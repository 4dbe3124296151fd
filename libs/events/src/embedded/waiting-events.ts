import type { Pool } from 'pg'
import { CHANNEL, COPIED_COLUMNS, INSERT_DEAD_LETTER } from './log-statements.js'

/** An event whose attempts fail, and for which its partition waits. */
export interface WaitingEvent {
  readonly group: string
  readonly topic: string
  readonly partition: number
  readonly eventId: string
  readonly key: string
  readonly type: string
  readonly since: Date
  /** All attempts, and those of them that failed because of an outage. */
  readonly attempts: number
  readonly outages: number
  readonly retryAt: Date | null
  /** The error of the last attempt. */
  readonly error: string
  /** How many events of the partition come after it. */
  readonly eventsBehind: number
}

/** The events for which partitions wait, at most one per group and partition. The one that has failed for longest comes first. */
export async function listWaitingEvents(pool: Pool): Promise<WaitingEvent[]> {
  return (await pool.query<WaitingEvent>(LIST)).rows
}

/**
 * Makes a waiting event a dead letter, so that its partition goes on without it. Waits for an attempt that is running. When Kafka
 * carries the event, the process that has the partition does it after its next attempt.
 * @returns false when the group does not wait for this event, such as after it was handled
 */
export async function makeDeadLetter(pool: Pool, group: string, eventId: string): Promise<boolean> {
  for (const statement of [MAKE_DEAD_LETTER, REQUEST_DEAD_LETTER])
    if ((await pool.query(statement, [group, eventId])).rowCount === 1) return true
  return false
}

const LIST = `
  SELECT c.consumer_group AS "group", c.topic, c.partition, l.id AS "eventId", l.key, l.type, c.failing_since AS since,
         c.attempts, c.outages, c.retry_at AS "retryAt", c.failing_error AS error,
         (h.next - 1 - c.failing_position)::int AS "eventsBehind"
    FROM events.cursor c JOIN events.head h USING (topic, partition)
    JOIN events.log l ON l.topic = c.topic AND l.partition = c.partition AND l.position = c.failing_position
  UNION ALL
  SELECT consumer_group, topic, partition, event_id, key, type, since, attempts, outages, retry_at, error, events_behind
    FROM events.waiting
   ORDER BY since`

/** What Kafka carries is not in the database, so the process that has it copies it to the dead letters. */
const REQUEST_DEAD_LETTER =
  'UPDATE events.waiting SET bury_requested = true WHERE consumer_group = $1 AND event_id = $2::uuid'

const MAKE_DEAD_LETTER = `
  WITH waiting AS (
    SELECT c.consumer_group, c.attempts, c.failing_error, l.*
      FROM events.cursor c
      JOIN events.log l ON l.topic = c.topic AND l.partition = c.partition AND l.position = c.failing_position
     WHERE c.consumer_group = $1 AND l.id = $2::uuid FOR UPDATE OF c
  ), written AS (
    ${INSERT_DEAD_LETTER}
    SELECT ${COPIED_COLUMNS}, consumer_group, attempts, failing_error FROM waiting ON CONFLICT DO NOTHING
  ) UPDATE events.cursor c SET position = w.position, attempts = 0, outages = 0, retry_at = NULL,
         failing_position = NULL, failing_since = NULL, failing_error = NULL
      FROM waiting w
     WHERE c.consumer_group = w.consumer_group AND c.topic = w.topic AND c.partition = w.partition
    RETURNING pg_notify('${CHANNEL}', c.topic)`
