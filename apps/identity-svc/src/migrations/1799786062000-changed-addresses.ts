import type { MigrationInterface, QueryRunner } from 'typeorm'

/** When a user changed to their present e-mail address. */
export class ChangedAddresses1799786062000 implements MigrationInterface {
  readonly name = 'ChangedAddresses1799786062000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE users ADD COLUMN email_changed_at timestamptz')
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE users DROP COLUMN email_changed_at')
  }
}
