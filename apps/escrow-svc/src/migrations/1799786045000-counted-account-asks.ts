import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Questions about payout accounts are counted, because the provider's answers may come in another order. */
export class CountedAccountAsks1799786045000 implements MigrationInterface {
  readonly name = 'CountedAccountAsks1799786045000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE escrow.payout_account ADD COLUMN asks int NOT NULL DEFAULT 0, ADD COLUMN recorded_ask int NOT NULL DEFAULT 0`,
    )
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE escrow.payout_account DROP COLUMN asks, DROP COLUMN recorded_ask')
  }
}
