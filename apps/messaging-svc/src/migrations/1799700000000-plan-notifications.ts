import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  'ALTER TABLE notifications DROP CONSTRAINT notifications_type_check',
  `ALTER TABLE notifications ADD CONSTRAINT notifications_type_check
     CHECK (type IN ('transaction', 'dispute', 'message', 'security', 'payout', 'plan')) NOT VALID`,
  'ALTER TABLE notifications VALIDATE CONSTRAINT notifications_type_check',
]

/** Notifications about the plan of a user. */
export class PlanNotifications1799700000000 implements MigrationInterface {
  readonly name = 'PlanNotifications1799700000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('notifications about plans may exist: restore a backup instead')
  }
}
