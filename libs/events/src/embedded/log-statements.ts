import { BatchStatement, type Row } from '@holdfast/service-kit/database/batch-statement'
import type { StoredEvent } from '../transport.js'
import { PARTITIONS, partitionOf } from './partition.js'

/** The NOTIFY channel. A payload is a topic that has new events, or `replay:<group>` for a group with a requested replay. */
export const CHANNEL = 'holdfast_events'

const PUBLISHED_COLUMNS = {
  id: 'uuid',
  topic: 'text',
  partition: 'smallint',
  key: 'text',
  type: 'text',
  payload: 'json',
  request_id: 'text',
  traceparent: 'text',
  occurred_at: 'timestamptz',
} as const

const publishedRow = (event: StoredEvent): Row<typeof PUBLISHED_COLUMNS> => ({
  id: event.id,
  topic: event.topic,
  partition: partitionOf(event.key, PARTITIONS),
  key: event.key,
  type: event.type,
  payload: event.payload,
  request_id: event.requestId,
  traceparent: event.traceparent,
  occurred_at: event.occurredAt,
})

/**
 * Appends a batch. Positions have no gaps, since the rows of `head` stay locked until the commit. Ids that the log has are
 * dropped. An unknown topic has no head, so its position is null and the statement fails.
 */
export const PUBLISH = new BatchStatement<StoredEvent>(
  'events-publish',
  part => `WITH fresh AS (
    SELECT e.*, row_number() OVER (PARTITION BY topic, partition ORDER BY nth) - 1 AS offset_
      FROM ${part.rows('e', PUBLISHED_COLUMNS, event => [publishedRow(event)], true)}
     WHERE NOT EXISTS (SELECT 1 FROM events.log l WHERE l.id = e.id)
  ), head AS (
    UPDATE events.head h SET next = h.next + n.count
      FROM (SELECT topic, partition, count(*) FROM fresh GROUP BY topic, partition) n
     WHERE h.topic = n.topic AND h.partition = n.partition
    RETURNING h.topic, h.partition, h.next - n.count AS first
  ), written AS (
    INSERT INTO events.log (topic, partition, position, id, key, type, payload, request_id, traceparent, occurred_at)
    SELECT f.topic, f.partition, h.first + f.offset_, f.id, f.key, f.type, f.payload, f.request_id, f.traceparent, f.occurred_at
      FROM fresh f LEFT JOIN head h USING (topic, partition)
  ) SELECT pg_notify('${CHANNEL}', topic) FROM (SELECT DISTINCT topic FROM fresh) touched`,
)

/** Cursors of a group. A new one begins before the oldest event that is kept. */
export const CREATE_CURSORS = `
  INSERT INTO events.cursor (consumer_group, topic, partition)
  SELECT $1, topic, partition FROM events.head WHERE topic = ANY($2::text[]) ON CONFLICT DO NOTHING`

const EVENT = 'l.position, l.id, l.key, l.type, l.request_id, l.traceparent, l.occurred_at'

/**
 * Claims the events that a group has not read. It locks cursors that no other process has locked, the least recently used
 * first, and reads from each up to `page_end`. For a claimed cursor with nothing but skipped events it returns one row of nulls. The
 * inner LIMIT never removes a row; it makes the planner use the index for each cursor.
 */
export const CLAIM = {
  name: 'events-claim',
  text: `WITH claimed AS MATERIALIZED (
    SELECT c.topic, c.partition, c.position, c.attempts, c.outages, least(c.position + $5, h.next - 1) AS page_end
      FROM events.cursor c JOIN events.head h USING (topic, partition)
     WHERE c.consumer_group = $1 AND c.topic = ANY($2::text[]) AND c.position < h.next - 1
       AND (c.retry_at IS NULL OR c.retry_at <= clock_timestamp())
     ORDER BY c.served_at LIMIT $4 FOR UPDATE OF c SKIP LOCKED
  ) SELECT c.topic, c.partition, c.position AS read_to, c.page_end, c.attempts, c.outages, ${EVENT}, l.payload
    FROM claimed c LEFT JOIN LATERAL (
      SELECT * FROM events.log p WHERE p.topic = c.topic AND p.partition = c.partition
         AND p.position > c.position AND p.position <= c.page_end
       ORDER BY p.position LIMIT $5) l ON l.type <> ALL($3::text[])
   ORDER BY c.topic, c.partition, l.position`,
}

/** `failing_since` stays while the same event fails, and is empty when none does. */
export const ADVANCE = {
  name: 'events-advance',
  text: `UPDATE events.cursor c SET position = o.position, attempts = o.attempts, outages = o.outages,
      served_at = clock_timestamp(), retry_at = clock_timestamp() + o.retry_ms * interval '1 millisecond',
      failing_position = o.failing, failing_error = o.error,
      failing_since = CASE WHEN o.failing = c.failing_position THEN c.failing_since
                           WHEN o.failing IS NOT NULL THEN clock_timestamp() END
    FROM unnest($2::text[], $3::smallint[], $4::bigint[], $5::int[], $6::int[], $7::int[], $8::bigint[], $9::text[])
      o(topic, partition, position, attempts, outages, retry_ms, failing, error)
   WHERE c.consumer_group = $1 AND c.topic = o.topic AND c.partition = o.partition`,
}

/** Writes a dead letter. It copies the event, because the log may delete it before an operator reads it. */
export const INSERT_DEAD_LETTER = `INSERT INTO events.dead_letter (topic, partition, position, event_id, key, type, payload, request_id,
    traceparent, occurred_at, consumer_group, attempts, error)`
/** The columns of the log that a dead letter copies, in the order of `INSERT_DEAD_LETTER`. */
export const COPIED_COLUMNS = 'topic, partition, position, id, key, type, payload, request_id, traceparent, occurred_at'

export const WRITE_DEAD_LETTER = `${INSERT_DEAD_LETTER}
  SELECT ${COPIED_COLUMNS}, $1, $5, $6
    FROM events.log WHERE topic = $2 AND partition = $3 AND position = $4 ON CONFLICT DO NOTHING`

export const HEADS = 'SELECT topic, partition, next FROM events.head WHERE topic = ANY($1::text[])'

export const READ_ON = {
  name: 'events-read-on',
  text: `SELECT l.topic, l.partition, ${EVENT}, l.payload
    FROM unnest($1::text[], $2::smallint[], $3::bigint[]) t(topic, partition, next) CROSS JOIN LATERAL (
      SELECT * FROM events.log l WHERE l.topic = t.topic AND l.partition = t.partition AND l.position >= t.next
       ORDER BY l.position LIMIT $4) l
   ORDER BY l.published_at, l.topic, l.partition, l.position`,
}

export const LAG = `
  SELECT coalesce(sum(h.next - 1 - c.position), 0)::int AS events,
         coalesce(extract(epoch FROM now() - min(oldest.published_at)), 0)::float AS "oldestSeconds",
         coalesce(extract(epoch FROM now() - min(c.failing_since)), 0)::float AS "waitingSeconds"
    FROM events.cursor c JOIN events.head h USING (topic, partition) LEFT JOIN LATERAL (
      SELECT l.published_at FROM events.log l WHERE l.topic = c.topic AND l.partition = c.partition AND l.position > c.position
       ORDER BY l.position LIMIT 1) oldest ON true
   WHERE c.consumer_group = $1`

/** Deletes old events in one bounded pass. A lock keeps other processes from doing it at the same time. */
export const FORGET = `
  SELECT CASE WHEN pg_try_advisory_xact_lock(740102, 0) 
    THEN events.forget(now() - $1 * interval '1 day', now() - $2 * interval '1 day', $3) ELSE 0 END AS count`

/** Drops the cursors of readers that no longer exist and answers which: see `LogReaders1795392060000`. */
export const DROP_READERS = `
  SELECT consumer_group AS "group", topic FROM events.drop_readers($1, $2, $3, now() - $4 * interval '1 day')`
