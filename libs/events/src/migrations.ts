import { roleOf, SERVICES_WITH_DATA, SERVICES_WITHOUT_DATA, TOPIC_OWNERS } from '@holdfast/contracts/topology'
import type { MigrationPlan } from '@holdfast/service-kit/database/migrations'
import type { MigrationInterface, QueryRunner } from 'typeorm'
import { BoundedForgetting1799785002100 } from './embedded/bounded-forgetting.migration.js'
import { LogByAge1799785002000 } from './embedded/log-by-age.migration.js'
import { LogReaders1795392060000 } from './embedded/log-readers.migration.js'
import { LogWaits1795392000000 } from './embedded/log-waits.migration.js'
import { PARTITIONS } from './embedded/partition.js'
import { KafkaEvents1799785000001 } from './kafka/kafka-events.migration.js'

/** The schema of the embedded log. The database's owner owns it; services have grants. */
const EVENTS_SCHEMA = 'events'

/**
 * The outbox and the inbox of a service: SQL for a migration of its own, run with the schema in the search_path.
 * Autovacuum runs early on an outbox, since each of its rows is deleted within a second. Applied migrations contain this
 * SQL, so it must not change. A later change needs a new migration in every service.
 *
 * @param schema the service's schema, which is also the first word of its topics: the table refuses other topics
 */
export function eventTables(schema: string): string[] {
  if (!/^[a-z]+$/.test(schema)) throw new Error(`invalid name of a schema: ${schema}`)
  return [
    `CREATE TABLE ${schema}.outbox (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      event_id uuid NOT NULL,
      topic text NOT NULL CHECK (starts_with(topic, '${schema}.')),
      key text NOT NULL,
      type text NOT NULL,
      payload jsonb NOT NULL,
      request_id text,
      traceparent text,
      at timestamptz NOT NULL
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
    `CREATE TABLE ${schema}.inbox (
      consumer text NOT NULL,
      event_id uuid NOT NULL,
      at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (consumer, event_id)
    )`,
    // `INBOX_BY_AGE` replaces this index.
    `CREATE INDEX inbox_at ON ${schema}.inbox USING brin (at) WITH (pages_per_range = 16)`,
  ]
}

/** Finds the old rows of an inbox, for `OnlineIndexes`, for the reason of `IDEMPOTENCY_BY_AGE`. It must not change either. */
export const INBOX_BY_AGE = { inbox_at: 'inbox (at)' }

/** The log. `head` holds the next position of each partition, and `cursor` the position of each group. */
class EventsLog1764000000000 implements MigrationInterface {
  readonly name = 'EventsLog1764000000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of LOG_TABLES) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE events.dead_letter, events.cursor, events.log, events.head')
    await queryRunner.query('DROP FUNCTION events.forget(timestamptz, int)')
  }
}

const LOG_TABLES = [
  `CREATE TABLE events.head (
    topic text NOT NULL,
    partition smallint NOT NULL,
    next bigint NOT NULL DEFAULT 1,
    PRIMARY KEY (topic, partition)
  ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
  `CREATE TABLE events.log (
    topic text NOT NULL,
    partition smallint NOT NULL,
    position bigint NOT NULL,
    id uuid NOT NULL UNIQUE,
    key text NOT NULL,
    type text NOT NULL,
    payload json NOT NULL,
    request_id text,
    traceparent text,
    occurred_at timestamptz NOT NULL,
    published_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (topic, partition, position)
  )`,
  'CREATE INDEX log_published_at ON events.log USING brin (published_at) WITH (pages_per_range = 16)',
  `CREATE TABLE events.cursor (
    consumer_group text NOT NULL,
    topic text NOT NULL,
    partition smallint NOT NULL,
    position bigint NOT NULL DEFAULT 0,
    attempts int NOT NULL DEFAULT 0,
    retry_at timestamptz,
    served_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (consumer_group, topic, partition)
  ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
  `CREATE TABLE events.dead_letter (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    consumer_group text NOT NULL,
    topic text NOT NULL,
    partition smallint NOT NULL,
    position bigint NOT NULL,
    event_id uuid NOT NULL,
    key text NOT NULL,
    type text NOT NULL,
    payload json NOT NULL,
    request_id text,
    traceparent text,
    occurred_at timestamptz NOT NULL,
    attempts int NOT NULL,
    error text NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    replay_requested_at timestamptz,
    replayed_at timestamptz,
    UNIQUE (consumer_group, topic, partition, position)
  )`,
  `CREATE INDEX dead_letter_replay ON events.dead_letter (consumer_group, id)
    WHERE replay_requested_at IS NOT NULL AND replayed_at IS NULL`,
  // No role may delete from the log; this function deletes only what is old and read by every group that subscribed.
  `CREATE FUNCTION events.forget(before timestamptz, at_most int) RETURNS int
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH old AS (
      SELECT l.topic, l.partition, l.position FROM events.log l
       WHERE l.published_at < before
         AND l.position <= (SELECT min(c.position) FROM events.cursor c WHERE c.topic = l.topic AND c.partition = l.partition)
       ORDER BY l.published_at LIMIT at_most
    ), gone AS (
      DELETE FROM events.log l USING old o
       WHERE l.topic = o.topic AND l.partition = o.partition AND l.position = o.position RETURNING 1
    ) SELECT count(*)::int FROM gone $$`,
  'REVOKE ALL ON FUNCTION events.forget(timestamptz, int) FROM PUBLIC',
  // The first part of a topic is its owner's schema. The policies refuse the writes of every other role.
  'ALTER TABLE events.log ENABLE ROW LEVEL SECURITY',
  'CREATE POLICY everybody_reads ON events.log FOR SELECT USING (true)',
  "CREATE POLICY owner_writes ON events.log FOR INSERT WITH CHECK (split_part(topic, '.', 1) || '_svc' = current_user)",
  'ALTER TABLE events.head ENABLE ROW LEVEL SECURITY',
  'CREATE POLICY everybody_reads ON events.head FOR SELECT USING (true)',
  "CREATE POLICY owner_writes ON events.head FOR UPDATE USING (split_part(topic, '.', 1) || '_svc' = current_user)",
]

/** The log's migrations, for the schema `events`. Only `tools/migrate` applies them, never a service. */
export const eventsLogMigrations = [
  EventsLog1764000000000,
  LogWaits1795392000000,
  LogReaders1795392060000,
  KafkaEvents1799785000001,
  LogByAge1799785002000,
  BoundedForgetting1799785002100,
]

/** Roles that publish and consume, and roles that only read. */
export const EVENT_ROLES = SERVICES_WITH_DATA.map(roleOf)
export const EVENT_READERS = SERVICES_WITHOUT_DATA.map(roleOf)

/**
 * Adds a row of `head` for every topic and partition, and the grants. It runs after the migrations each time, because topics
 * and roles are added later. It is idempotent. The roles must exist.
 */
export function eventsLogUpkeep(
  roles: readonly string[] = EVENT_ROLES,
  readers: readonly string[] = EVENT_READERS,
): string[] {
  const topics = Object.keys(TOPIC_OWNERS).map(topic => `'${topic}'`)
  return [
    `INSERT INTO events.head (topic, partition)
      SELECT topic, partition FROM unnest(ARRAY[${topics.join(', ')}]) topic, generate_series(0, ${PARTITIONS - 1}) partition
      ON CONFLICT DO NOTHING`,
    ...roles.flatMap(role => [
      `GRANT USAGE ON SCHEMA events TO ${quoted(role)}`,
      `GRANT SELECT, INSERT ON events.log TO ${quoted(role)}`,
      `GRANT SELECT, UPDATE (next) ON events.head TO ${quoted(role)}`,
      `GRANT SELECT, INSERT, UPDATE ON events.cursor TO ${quoted(role)}`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON events.waiting TO ${quoted(role)}`,
      `GRANT SELECT, INSERT, UPDATE (replay_requested_at, replayed_at, error, attempts) ON events.dead_letter TO ${quoted(role)}`,
      `GRANT EXECUTE ON FUNCTION events.forget(timestamptz, int) TO ${quoted(role)}`,
      `GRANT EXECUTE ON FUNCTION events.forget(timestamptz, timestamptz, int) TO ${quoted(role)}`,
      `GRANT EXECUTE ON FUNCTION events.drop_readers(text[], text, text[], timestamptz) TO ${quoted(role)}`,
    ]),
    ...readers.flatMap(role => [
      `GRANT USAGE ON SCHEMA events TO ${quoted(role)}`,
      `GRANT SELECT ON events.log, events.head, events.cursor, events.dead_letter, events.waiting TO ${quoted(role)}`,
    ]),
  ]
}

const quoted = (role: string): string => `"${role.replaceAll('"', '""')}"`

/** The embedded log, for `applyMigrations`, after the roles of all services. */
export const eventsPlan: MigrationPlan = {
  service: 'events',
  schema: EVENTS_SCHEMA,
  migrations: eventsLogMigrations,
  grants: eventsLogUpkeep(),
}
