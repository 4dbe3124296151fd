import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // Two steps: what is there already is not pushed. What the release before writes from now on is.
  'ALTER TABLE notifications ADD COLUMN push_pending boolean NOT NULL DEFAULT false',
  'ALTER TABLE notifications ALTER COLUMN push_pending SET DEFAULT true',
  'CREATE INDEX notifications_to_push ON notifications (created_at) WHERE push_pending',
]

/** Which notifications may have to be sent to browsers. */
export class PushedNotifications1799730100000 implements MigrationInterface {
  readonly name = 'PushedNotifications1799730100000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE notifications DROP COLUMN push_pending')
  }
}
