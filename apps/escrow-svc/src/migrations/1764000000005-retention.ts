import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * What is kept of requests is forgotten once nobody repeats them: a key after a week, a provider's event after three
 * times as long as the provider lets one be sent again. The service may still delete nothing by itself.
 */
export class Retention1764000000005 implements MigrationInterface {
  readonly name = 'Retention1764000000005'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION escrow.forget(int)')
    await queryRunner.query('DROP INDEX escrow.idempotency_created_at, escrow.webhook_event_received_at')
  }
}

const STATEMENTS = [
  // Rows arrive in the order of their time, so a block range index finds the old ones and costs the money path nothing.
  'CREATE INDEX idempotency_created_at ON escrow.idempotency USING brin (created_at) WITH (pages_per_range = 16)',
  'CREATE INDEX webhook_event_received_at ON escrow.webhook_event USING brin (received_at) WITH (pages_per_range = 16)',
  `CREATE FUNCTION escrow.forget(at_most int) RETURNS int
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH keys AS (
      DELETE FROM escrow.idempotency WHERE (user_id, route, key) IN (
        SELECT user_id, route, key FROM escrow.idempotency
         WHERE created_at < now() - interval '7 days' LIMIT at_most FOR UPDATE SKIP LOCKED)
      RETURNING 1
    ), events AS (
      DELETE FROM escrow.webhook_event WHERE id IN (
        SELECT id FROM escrow.webhook_event
         WHERE received_at < now() - interval '90 days' LIMIT at_most FOR UPDATE SKIP LOCKED)
      RETURNING 1
    ) SELECT greatest((SELECT count(*) FROM keys), (SELECT count(*) FROM events))::int $$`,
  'REVOKE ALL ON FUNCTION escrow.forget(int) FROM PUBLIC',
]
