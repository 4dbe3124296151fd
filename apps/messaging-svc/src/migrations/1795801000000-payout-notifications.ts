import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  'ALTER TABLE notifications DROP CONSTRAINT notifications_type_check',
  `ALTER TABLE notifications ADD CONSTRAINT notifications_type_check
     CHECK (type IN ('transaction', 'message', 'security', 'payout')) NOT VALID`,
  'ALTER TABLE notifications VALIDATE CONSTRAINT notifications_type_check',
]

/** Notifications about payouts. */
export class PayoutNotifications1795801000000 implements MigrationInterface {
  readonly name = 'PayoutNotifications1795801000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('notifications about payouts may exist: restore a backup instead')
  }
}
