import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  'ALTER TABLE notifications DROP CONSTRAINT notifications_type_check',
  `ALTER TABLE notifications ADD CONSTRAINT notifications_type_check
     CHECK (type IN ('transaction', 'dispute', 'message', 'security', 'payout')) NOT VALID`,
  'ALTER TABLE notifications VALIDATE CONSTRAINT notifications_type_check',
  // The dispute that a notification is about, and the latest dispute of a deal.
  'ALTER TABLE notifications ADD COLUMN dispute_id bigint',
  'ALTER TABLE deals ADD COLUMN dispute_id bigint',
]

/** Notifications about disputes, which lead to the case. */
export class DisputeNotifications1796520000000 implements MigrationInterface {
  readonly name = 'DisputeNotifications1796520000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('notifications about disputes may exist: restore a backup instead')
  }
}
