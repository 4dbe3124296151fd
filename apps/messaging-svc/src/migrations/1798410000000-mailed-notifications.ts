import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // Two steps: what is there already is not mailed. What the release before writes from now on is.
  'ALTER TABLE notifications ADD COLUMN mail_pending boolean NOT NULL DEFAULT false',
  'ALTER TABLE notifications ALTER COLUMN mail_pending SET DEFAULT true',
  'CREATE INDEX notifications_to_mail ON notifications (created_at) WHERE mail_pending',
]

/** Which notifications may have to be mailed. */
export class MailedNotifications1798410000000 implements MigrationInterface {
  readonly name = 'MailedNotifications1798410000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE notifications DROP COLUMN mail_pending')
  }
}
