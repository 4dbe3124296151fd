import type { MigrationInterface, QueryRunner } from 'typeorm'

/** When the owner of an address that nobody had confirmed took over the account that somebody had opened with it. */
export class TakenOverAccounts1799786020000 implements MigrationInterface {
  readonly name = 'TakenOverAccounts1799786020000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE users ADD COLUMN taken_over_at timestamptz')
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE users DROP COLUMN taken_over_at')
  }
}
