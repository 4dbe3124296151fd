import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The settings of users who have chosen. Everybody else has the defaults. */
export class NotificationSettings1797410000000 implements MigrationInterface {
  readonly name = 'NotificationSettings1797410000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE notification_settings (
        user_id uuid PRIMARY KEY,
        settings jsonb NOT NULL,
        changed_at timestamptz NOT NULL DEFAULT now()
      )`,
    )
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE notification_settings')
  }
}
