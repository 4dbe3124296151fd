import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Old events are deleted by their physical address, as `deletionOf` does. A join with what is to be deleted could be planned as one that
 * reads the whole log.
 */
export class BoundedForgetting1799785002100 implements MigrationInterface {
  readonly name = 'BoundedForgetting1799785002100'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE OR REPLACE FUNCTION
      events.forget(before timestamptz, unread_before timestamptz, at_most int) RETURNS int
      LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
      WITH gone AS (
        DELETE FROM events.log WHERE ctid = ANY (ARRAY(
          SELECT l.ctid FROM events.log l
           WHERE l.published_at < before
             AND coalesce(
               l.position <= (SELECT min(c.position) FROM events.cursor c WHERE c.topic = l.topic AND c.partition = l.partition),
               l.published_at < unread_before)
           ORDER BY l.published_at LIMIT at_most)) RETURNING 1
      ) SELECT count(*)::int FROM gone $$`)
  }

  async down(): Promise<void> {
    // What the function promises is as before.
  }
}
