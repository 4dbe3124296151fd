import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Lets the services clean the log of events that no group will read. Their roles may not delete from the tables.
 *
 * - `drop_readers` deletes only cursors that have not moved since `before`: those of groups that are not known, and those of
 *   the group `own` on topics that it does not read.
 * - `forget` with three parameters also deletes events that no group reads and that are older than `unread_before`. The
 *   function with two parameters keeps them for ever; a release that is being replaced still calls it.
 *   `BoundedForgetting` replaces the one with three.
 */
export class LogReaders1795392060000 implements MigrationInterface {
  readonly name = 'LogReaders1795392060000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE FUNCTION
      events.drop_readers(known text[], own text, topics text[], before timestamptz)
      RETURNS TABLE (consumer_group text, topic text)
      LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
      WITH gone AS (
        DELETE FROM events.cursor c
         WHERE c.served_at < before
           AND (c.consumer_group <> ALL (known) OR (c.consumer_group = own AND c.topic <> ALL (topics)))
        RETURNING c.consumer_group, c.topic
      ) SELECT DISTINCT consumer_group, topic FROM gone $$`)
    await queryRunner.query(`CREATE FUNCTION
      events.forget(before timestamptz, unread_before timestamptz, at_most int) RETURNS int
      LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
      WITH old AS (
        SELECT l.topic, l.partition, l.position FROM events.log l
         WHERE l.published_at < before
           AND coalesce(
             l.position <= (SELECT min(c.position) FROM events.cursor c WHERE c.topic = l.topic AND c.partition = l.partition),
             l.published_at < unread_before)
         ORDER BY l.published_at LIMIT at_most
      ), gone AS (
        DELETE FROM events.log l USING old o
         WHERE l.topic = o.topic AND l.partition = o.partition AND l.position = o.position RETURNING 1
      ) SELECT count(*)::int FROM gone $$`)
    for (const signature of SIGNATURES) await queryRunner.query(`REVOKE ALL ON FUNCTION ${signature} FROM PUBLIC`)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const signature of SIGNATURES) await queryRunner.query(`DROP FUNCTION ${signature}`)
  }
}

const SIGNATURES = [
  'events.drop_readers(text[], text, text[], timestamptz)',
  'events.forget(timestamptz, timestamptz, int)',
]
