import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // Two steps: what is there already is not texted. What the release before writes from now on is.
  'ALTER TABLE notifications ADD COLUMN sms_pending boolean NOT NULL DEFAULT false',
  'ALTER TABLE notifications ALTER COLUMN sms_pending SET DEFAULT true',
  'CREATE INDEX notifications_to_text ON notifications (created_at) WHERE sms_pending',
]

/** Which notifications may have to be texted. */
export class TextedNotifications1799730200000 implements MigrationInterface {
  readonly name = 'TextedNotifications1799730200000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE notifications DROP COLUMN sms_pending')
  }
}
