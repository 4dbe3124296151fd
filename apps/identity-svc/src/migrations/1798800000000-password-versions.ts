import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Which password of a user it is. What was proven with an earlier one counts no more. */
export class PasswordVersions1798800000000 implements MigrationInterface {
  readonly name = 'PasswordVersions1798800000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE users ADD COLUMN password_version integer NOT NULL DEFAULT 1')
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE users DROP COLUMN password_version')
  }
}
