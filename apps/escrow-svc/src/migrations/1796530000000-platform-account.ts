import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Our own account at the provider, in test mode and in live mode. */
export class PlatformAccount1796530000000 implements MigrationInterface {
  readonly name = 'PlatformAccount1796530000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE escrow.platform_account (
      mode text PRIMARY KEY CHECK (mode IN ('live', 'test')),
      account_id text NOT NULL,
      since timestamptz NOT NULL
    )`)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE escrow.platform_account')
  }
}
